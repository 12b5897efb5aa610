import type { DeviceQuestion, QuestionAnswer, QuestionKind, QuestionReply } from '#contract/device/questions.ts'
import {
  DIAGNOSIS,
  type DiagnosisPlan,
  type DiagnosisStep,
  type DiagnosisVerdict,
  type PlannedHop,
} from '#contract/network/diagnosis.ts'
import { isInside } from '#domain/network/addresses/segments.ts'
import { type HopFacts, actualText, intendedText, judgeHop, noRouteText } from '#domain/network/diagnosis/judge.ts'
import { LAN_DOWN, lostReason } from '#domain/network/routing/route-reasons.ts'

/* Run of a diagnosis: asks the routers on the way one after the other, and compares their answers with the plan. */

type Question<K extends QuestionKind> = Omit<Extract<DeviceQuestion, { kind: K }>, 'network_number'>
type Reply = QuestionReply
type Refused = Exclude<Reply, { state: 'answered' }>

export interface RunPorts {
  /** Never rejects: a hub that does not answer is silent. */
  ask(routerName: string, question: DeviceQuestion): Promise<Reply>
  /** Reason of a link that is down; null for others. */
  downReason(linkId: string): string | null
  /** Called after each step. */
  stepped(step: DiagnosisStep): void
  now(): number
  pause(ms: number): Promise<void>
}

export interface RunResult {
  /** Reason of a run that could not end; '' for one that has its verdict. */
  readonly reason: string
  readonly verdict: DiagnosisVerdict | null
}

const AWAY: Readonly<Record<Exclude<Refused['state'], 'refused'>, string>> = {
  offline: '设备离线',
  too_old: '设备不支持诊断',
  busy: '设备正在诊断',
  silent: '设备未应答',
}
const awayText = (reply: Refused): string => (reply.state === 'refused' ? reply.reason : AWAY[reply.state])

const isFinal = (reply: Reply): reply is Refused => reply.state !== 'answered'

/** Question with which a diagnosis begins, at its own router. */
export function firstQuestion(plan: DiagnosisPlan): DeviceQuestion {
  const { kind, networkNumber: network_number, destination, count, source } = plan
  if (kind === 'ping') return { kind, network_number, destination, count }
  if (kind === 'traceroute') return { kind, network_number, destination }
  return { kind: 'route', network_number, destination, source: source === '' ? null : source, arrival: null }
}

/** @param first answer to the first question, which was asked before. */
export function runDiagnosis(plan: DiagnosisPlan, first: Promise<Reply>, ports: RunPorts): Promise<RunResult> {
  if (plan.kind === 'path') return runPath(plan, first, ports)
  return first.then((reply) => (plan.kind === 'ping' ? endPing(plan, reply, ports) : endTraceroute(plan, reply, ports)))
}

const done = (verdict: DiagnosisVerdict): RunResult => ({ reason: '', verdict })
const failed = (reason: string): RunResult => ({ reason, verdict: null })

const labelIn =
  ({ labels }: DiagnosisPlan) =>
  (name: string): string =>
    labels[name] ?? name

// ping

const rounded = (ms: number): number => Math.round(ms * 10) / 10

const averageOf = ({ times_ms }: QuestionAnswer<'ping'>): number | null => {
  const times = times_ms.filter((time) => time !== null)
  return times.length === 0 ? null : rounded(times.reduce((sum, time) => sum + time, 0) / times.length)
}

const reachText = (destination: string, average: number | null): string =>
  average === null ? `${destination} 不可达` : `${destination} 可达，平均 ${average} ms`

function pingStep(plan: DiagnosisPlan, answer: QuestionAnswer<'ping'>): DiagnosisStep {
  const average = averageOf(answer)
  return {
    router_name: plan.routerName,
    label: labelIn(plan)(plan.routerName),
    intended: '',
    actual: `Ping ${plan.destination}：发送${answer.sent}，收到${answer.received}`,
    evidence: `源地址${answer.source}`,
    ok: average === null ? 0 : 1,
    rtt_ms: average,
  }
}

function endPing(plan: DiagnosisPlan, reply: Reply, { stepped }: RunPorts): RunResult {
  if (isFinal(reply)) return endRefused(plan, reply)
  const answer = reply.data as QuestionAnswer<'ping'>
  stepped(pingStep(plan, answer))
  const average = averageOf(answer)
  const lost = Math.round((1 - answer.received / Math.max(1, answer.sent)) * 100)
  const text = reachText(plan.destination, average) + (average === null ? '' : `，丢包 ${lost}%`)
  return done({ ok: average === null ? 0 : 1, text })
}

/** A device that refuses has decided; one that is away has not. */
const endRefused = (plan: DiagnosisPlan, reply: Refused): RunResult =>
  reply.state === 'refused'
    ? done({ ok: 0, text: `${labelIn(plan)(plan.routerName)}：${reply.reason}` })
    : failed(awayText(reply))

// traceroute

const NO_ANSWER = '无应答'
const OTHER = '其他组网'

/** Label and address of a hop. Of a node only its area is shown, of another network nothing. */
function hopStep(plan: DiagnosisPlan, { ip, rtt_ms }: QuestionAnswer<'traceroute'>['hops'][number]): DiagnosisStep {
  const step = { intended: '', evidence: '', ok: null, rtt_ms: rtt_ms === null ? null : rounded(rtt_ms) }
  if (ip === null) return { ...step, router_name: '', label: NO_ANSWER, actual: '' }
  const name = plan.addresses[ip]
  const isOwn = plan.segments.some((segment) => isInside(`${ip}/32`, segment))
  if (name === undefined && !isOwn) return { ...step, router_name: '', label: OTHER, actual: '' }
  if (name === undefined) return { ...step, router_name: '', label: ip, actual: ip }
  const isNode = plan.nodes.includes(name)
  return { ...step, router_name: name, label: labelIn(plan)(name), actual: isNode ? '' : ip }
}

function endTraceroute(plan: DiagnosisPlan, reply: Reply, { stepped }: RunPorts): RunResult {
  if (isFinal(reply)) return endRefused(plan, reply)
  const { hops } = reply.data as QuestionAnswer<'traceroute'>
  for (const hop of hops) stepped(hopStep(plan, hop))
  const last = hops.at(-1)
  const isReached = last?.ip === plan.destination
  const text = isReached
    ? `${plan.destination} 可达，共${hops.length}跳`
    : `${plan.destination} 不可达，最后应答的是第${hops.filter(({ ip }) => ip !== null).length}跳`
  return done({ ok: isReached ? 1 : 0, text })
}

// path analysis

const BUSY_TRIES = 4
const BUSY_PAUSE_MS = 500

/** A router that another network asks at this moment is asked again. */
async function askPatiently(plan: DiagnosisPlan, ports: RunPorts, name: string, question: Question<'route'>) {
  for (let tries = 1; ; tries += 1) {
    const reply = await ports.ask(name, { ...question, network_number: plan.networkNumber })
    if (reply.state !== 'busy' || tries === BUSY_TRIES) return reply
    await ports.pause(BUSY_PAUSE_MS)
  }
}

async function runPath(plan: DiagnosisPlan, first: Promise<Reply>, ports: RunPorts): Promise<RunResult> {
  const labelOf = labelIn(plan)
  const facts: HopFacts = { destination: plan.destination, labelOf, downReason: ports.downReason }
  const endAt = ports.now() + DIAGNOSIS.pathMs
  const passed = new Set<string>()
  let [name, reply] = [plan.routerName, await first]
  for (;;) {
    const hop = plan.hops.find((one) => one.name === name)
    if (!hop) return done({ ok: 0, text: `${labelOf(name)} 不在到 ${plan.destination} 的路径上` })
    if (isFinal(reply)) return endUnanswered(hop, reply, facts, ports)
    const { step, verdict, next, isUnannounced } = judgeHop(hop, reply.data as QuestionAnswer<'route'>, facts)
    ports.stepped(isUnannounced ? { ...step, evidence: '' } : step) // the routers asked next know the cause
    if (verdict && isUnannounced) {
      const cause = (await askOrigin(plan, hop, facts, ports)) ?? (await askPeer(plan, hop, facts, ports))
      return done(cause ?? verdict)
    }
    if (verdict) return done(verdict)
    if (next === null) return endPath(plan, hop, ports)
    passed.add(name)
    if (passed.has(next.name)) return done({ ok: 0, text: `路由成环：${labelOf(name)} 又经由 ${labelOf(next.name)}` })
    if (passed.size >= DIAGNOSIS.hopsMax || ports.now() >= endAt) return failed('诊断超时')
    name = next.name
    const { destination } = plan
    reply = await askPatiently(plan, ports, name, { kind: 'route', destination, source: null, arrival: next.link })
  }
}

/** A router that cannot be asked. Rows that give it no route have decided already. */
function endUnanswered(hop: PlannedHop, reply: Refused, facts: HopFacts, { stepped }: RunPorts): RunResult {
  const { name, label, intended, prefix } = hop
  const words = awayText(reply)
  const none = 'none' in intended ? intended.none : null
  stepped({
    router_name: name,
    label,
    intended: intendedText(intended, prefix, facts.labelOf),
    actual: words,
    evidence: none ?? '',
    ok: 0,
    rtt_ms: null,
  })
  const text = none === null ? `${label} ${words}，无法继续` : noRouteText(label, facts.destination, none)
  return done({ ok: 0, text })
}

/** A route that no peer announces: the router that declares it says if it has the segment. */
async function askOrigin(
  plan: DiagnosisPlan,
  { name, origin }: PlannedHop,
  facts: HopFacts,
  ports: RunPorts,
): Promise<DiagnosisVerdict | null> {
  if (origin === null || origin === name) return null
  const { destination } = plan
  const label = facts.labelOf(origin)
  const reply = await askPatiently(plan, ports, origin, { kind: 'route', destination, source: null, arrival: null })
  const intended = intendedText({ local: 'lan' }, '', facts.labelOf)
  const base = { router_name: origin, label, intended, ok: 0, rtt_ms: null } as const
  if (isFinal(reply)) {
    const words = awayText(reply)
    ports.stepped({ ...base, actual: words, evidence: '' })
    return { ok: 0, text: noRouteText(facts.labelOf(name), destination, `公布该网段的${label}${words}`) }
  }
  const { via } = reply.data as QuestionAnswer<'route'>
  if (via && 'local' in via) return null
  const evidence = `${LAN_DOWN}，该网段未公布`
  ports.stepped({ ...base, actual: actualText(via, origin, facts.labelOf), evidence })
  return { ok: 0, text: noRouteText(facts.labelOf(name), destination, `${label}的${evidence}`) }
}

/** A route that a router lacks although its peer has it: the router has lost it. */
async function askPeer(
  plan: DiagnosisPlan,
  { name, intended }: PlannedHop,
  facts: HopFacts,
  ports: RunPorts,
): Promise<DiagnosisVerdict | null> {
  const peer = 'links' in intended ? intended.links[0]?.peer : undefined
  const hop = plan.hops.find((one) => one.name === peer)
  if (!hop) return null
  const { destination } = plan
  const reply = await askPatiently(plan, ports, hop.name, { kind: 'route', destination, source: null, arrival: null })
  if (isFinal(reply)) return null
  const { step, verdict } = judgeHop(hop, reply.data as QuestionAnswer<'route'>, facts)
  if (verdict !== null) return null
  ports.stepped(step)
  const reason = lostReason(hop.label)
  return { ok: 0, text: noRouteText(facts.labelOf(name), destination, reason) }
}

/** All hops are as intended: a ping proves it, unless the packet is somebody else's or leaves the network. */
async function endPath(plan: DiagnosisPlan, last: PlannedHop, ports: RunPorts): Promise<RunResult> {
  const { networkNumber: network_number, destination, count, routerName } = plan
  if (!plan.isPinged || last.name === routerName) return done({ ok: 1, text: '逐跳一致' })
  const reply = await ports.ask(routerName, { kind: 'ping', network_number, destination, count })
  if (isFinal(reply)) return done({ ok: 1, text: `逐跳一致，未能Ping：${awayText(reply)}` })
  const answer = reply.data as QuestionAnswer<'ping'>
  ports.stepped(pingStep(plan, answer))
  const average = averageOf(answer)
  return done({ ok: average === null ? 0 : 1, text: `逐跳一致，${reachText(destination, average)}` })
}
