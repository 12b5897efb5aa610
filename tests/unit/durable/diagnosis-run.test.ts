import { describe, expect, it } from 'vitest'
import type { DeviceQuestion, QuestionReply } from '#contract/device/questions.ts'
import { DIAGNOSIS, type DiagnosisPlan, type DiagnosisStep, type PlannedHop } from '#contract/network/diagnosis.ts'
import { firstQuestion, runDiagnosis } from '#durable/network-hub/diagnosis-run.ts'

const PE = 'N1:P>E'
const EQ = 'N1:Q>E'
const TARGET = '10.4.0.9'

const hop = (name: string, intended: PlannedHop['intended'], over: Partial<PlannedHop> = {}): PlannedHop => ({
  name,
  label: name,
  isNode: false,
  intended,
  prefix: '10.4.0.0/24',
  origin: 'Q',
  ...over,
})
const HOPS = [
  hop('P', { links: [{ id: PE, peer: 'E' }] }),
  hop('E', { links: [{ id: EQ, peer: 'Q' }] }),
  hop('Q', { local: 'lan' }, { origin: null }),
]

const planOf = (over: Partial<DiagnosisPlan> = {}): DiagnosisPlan => ({
  jobId: 'a'.repeat(32),
  revision: 1,
  networkNumber: 'N1',
  kind: 'path',
  routerName: 'P',
  routerNote: '',
  source: '',
  destination: TARGET,
  count: 2,
  by: 'demo',
  hops: HOPS,
  isPinged: true,
  labels: { P: 'P', E: 'E', Q: 'Q', NODE: 'POP 华东' },
  addresses: {},
  nodes: ['NODE'],
  segments: [],
  ...over,
})

const to = (via: unknown, over = {}): QuestionReply =>
  ({ state: 'answered', data: { via, prefix: null, session: 'up', tunnel: '', ...over } }) as QuestionReply
const PONG = { source: '100.64.0.2', sent: 2, received: 2, times_ms: [1.24, 2.24] }
const pong = (over = {}): QuestionReply => ({ state: 'answered', data: { ...PONG, ...over } }) as QuestionReply
const LAN = to({ local: 'lan' })

/** Runs it with these answers of the routers; one that has none left is silent. */
async function run(plan: DiagnosisPlan, answers: Record<string, readonly QuestionReply[]>, over = {}) {
  const asked: string[] = []
  const steps: DiagnosisStep[] = []
  const left = new Map(Object.entries(answers).map(([name, replies]) => [name, [...replies]]))
  const ask = async (name: string, question: DeviceQuestion): Promise<QuestionReply> => {
    const arrival = question.kind === 'route' && question.arrival !== null ? ` from ${question.arrival}` : ''
    asked.push(`${name} ${question.kind}${arrival}`)
    return left.get(name)?.shift() ?? { state: 'silent' }
  }
  const result = await runDiagnosis(plan, ask(plan.routerName, firstQuestion(plan)), {
    ask,
    downReason: () => null,
    stepped: (step) => steps.push(step),
    now: () => 0,
    pause: async () => {},
    ...over,
  })
  return { ...result, asked, steps }
}

describe('network · a path analysis', () => {
  it('asks each router as the packet comes to it, and proves the path by a ping', async () => {
    const found = await run(planOf(), { P: [to({ link: PE }), pong()], E: [to({ link: EQ })], Q: [LAN] })
    expect(found.asked).toEqual(['P route', `E route from ${PE}`, `Q route from ${EQ}`, 'P ping'])
    expect(found.verdict).toEqual({ ok: 1, text: `逐跳一致，${TARGET} 可达，平均 1.7 ms` })
    expect(found.steps.map(({ label, ok }) => [label, ok])).toEqual([
      ['P', 1],
      ['E', 1],
      ['Q', 1],
      ['P', 1],
    ])
  })

  it('says that nobody answers although each hop is right', async () => {
    const nothing = pong({ received: 0, times_ms: [null, null] })
    const found = await run(planOf(), { P: [to({ link: PE }), nothing], E: [to({ link: EQ })], Q: [LAN] })
    expect(found.verdict).toEqual({ ok: 0, text: `逐跳一致，${TARGET} 不可达` })
  })

  it('of a LAN address sends nothing', async () => {
    const plan = planOf({ source: '10.1.0.7', isPinged: false })
    const found = await run(plan, { P: [to({ link: PE })], E: [to({ link: EQ })], Q: [LAN] })
    expect(found.asked).toEqual(['P route', `E route from ${PE}`, `Q route from ${EQ}`])
    expect(found.verdict).toEqual({ ok: 1, text: '逐跳一致' })
    expect(firstQuestion(plan)).toMatchObject({ source: '10.1.0.7', arrival: null })
  })

  it('ends at the first difference', async () => {
    const found = await run(planOf(), { P: [to({ link: PE })], E: [to({ link: PE })] })
    expect(found.asked).toHaveLength(2)
    expect(found.verdict).toEqual({ ok: 0, text: 'E 应经由Q，实际经由P：首选路径未生效' })
  })

  it('asks the router that declares a segment that nobody announces', async () => {
    const found = await run(planOf(), { P: [to(null)], Q: [to({ wan: true })] })
    expect(found.verdict).toEqual({ ok: 0, text: `P 没有到 ${TARGET} 的路由：Q的LAN接口未连接，该网段未公布` })
    expect(found.steps.at(-1)).toMatchObject({ label: 'Q', actual: '经由互联网出口', ok: 0 })
    const healthy = await run(planOf(), { P: [to(null)], Q: [LAN] })
    expect(healthy.verdict).toEqual({ ok: 0, text: 'P 应经由E，实际没有路由：对端未公布该网段' })
    const away = await run(planOf(), { P: [to(null)], Q: [{ state: 'offline' }] })
    expect(away.verdict).toEqual({ ok: 0, text: `P 没有到 ${TARGET} 的路由：公布该网段的Q设备离线` })
  })

  it('tells a route that a router has lost from one that its peer does not announce', async () => {
    const lost = await run(planOf(), { P: [to(null)], Q: [LAN], E: [to({ link: EQ })] })
    expect(lost.verdict).toEqual({ ok: 0, text: `P 没有到 ${TARGET} 的路由：对端E有该路由，本设备的路由表中缺失` })
    expect(lost.steps).toMatchObject([
      { label: 'P', ok: 0, evidence: '' },
      { label: 'E', ok: 1 },
    ])
    const unannounced = await run(planOf(), { P: [to(null)], Q: [LAN], E: [to(null)] })
    expect(unannounced.verdict).toEqual({ ok: 0, text: 'P 应经由E，实际没有路由：对端未公布该网段' })
  })

  it.each([
    ['offline', '设备离线'],
    ['silent', '设备未应答'],
    ['too_old', '设备不支持诊断'],
    ['busy', '设备正在诊断'],
  ] as const)('ends at a router that is %s', async (state, words) => {
    const replies = Array.from({ length: 9 }, () => ({ state }))
    const found = await run(planOf(), { P: [to({ link: PE })], E: replies })
    expect(found.verdict).toEqual({ ok: 0, text: `E ${words}，无法继续` })
    expect(found.steps.at(-1)).toMatchObject({ label: 'E', actual: words, ok: 0 })
  })

  it('waits for a router that another network asks', async () => {
    const found = await run(planOf(), {
      P: [to({ link: PE }), pong()],
      E: [{ state: 'busy' }, to({ link: EQ })],
      Q: [LAN],
    })
    expect(found.verdict?.ok).toBe(1)
  })

  it('has the reason of the rows even when the device does not answer', async () => {
    const found = await run(planOf({ hops: [hop('P', { none: '被第3行前缀规则拒绝' })] }), { P: [{ state: 'silent' }] })
    expect(found.verdict).toEqual({ ok: 0, text: `P 没有到 ${TARGET} 的路由：被第3行前缀规则拒绝` })
  })

  it('ends in a loop, and at its time', async () => {
    const back = [hop('P', { links: [{ id: PE, peer: 'E' }] }), hop('E', { links: [{ id: PE, peer: 'P' }] })]
    const loop = await run(planOf({ hops: back }), { P: [to({ link: PE })], E: [to({ link: PE })] })
    expect(loop.verdict).toEqual({ ok: 0, text: '路由成环：E 又经由 P' })
    let now = -DIAGNOSIS.pathMs
    const late = await run(planOf(), { P: [to({ link: PE })] }, { now: () => (now += DIAGNOSIS.pathMs) })
    expect(late).toMatchObject({ reason: '诊断超时', verdict: null })
  })

  it('names other networks on the way as such alone', async () => {
    const found = await run(planOf({ hops: [{ ...HOPS[0]!, origin: null }] }), { P: [to({ other: true })] })
    expect(found.steps).toMatchObject([{ actual: '经由其他组网' }])
  })
})

describe('network · a ping', () => {
  it('has its times and its loss', async () => {
    const lossy = pong({ received: 1, times_ms: [1.24, null] })
    const found = await run(planOf({ kind: 'ping' }), { P: [lossy] })
    expect(found.verdict).toEqual({ ok: 1, text: `${TARGET} 可达，平均 1.2 ms，丢包 50%` })
    expect(found.steps).toMatchObject([
      { label: 'P', actual: `Ping ${TARGET}：发送2，收到1`, evidence: '源地址100.64.0.2', rtt_ms: 1.2 },
    ])
  })

  it('is refused by the device in its words, and unfinished without it', async () => {
    const reason = '没有经本组网到达该地址的路由'
    const refused = await run(planOf({ kind: 'ping' }), { P: [{ state: 'refused', reason }] })
    expect(refused.verdict).toEqual({ ok: 0, text: `P：${reason}` })
    expect(await run(planOf({ kind: 'ping' }), {})).toMatchObject({ reason: '设备未应答', verdict: null })
  })
})

describe('network · a traceroute', () => {
  const traced = (...hops: (string | null)[]): QuestionReply =>
    ({
      state: 'answered',
      data: { source: '100.64.0.2', hops: hops.map((ip) => ({ ip, rtt_ms: ip === null ? null : 1.26 })) },
    }) as QuestionReply
  const plan = planOf({
    kind: 'traceroute',
    addresses: { '100.64.0.1': 'E', '100.64.80.1': 'NODE' },
    segments: ['100.64.0.0/16', '10.4.0.0/24'],
  })

  it('names its routers; of a node only the area and the delay, of another network nothing', async () => {
    const found = await run(plan, { P: [traced('100.64.0.1', '100.64.80.1', '192.0.2.7', null, TARGET)] })
    expect(found.steps.map(({ router_name, label, actual, rtt_ms }) => [router_name, label, actual, rtt_ms])).toEqual([
      ['E', 'E', '100.64.0.1', 1.3],
      ['NODE', 'POP 华东', '', 1.3],
      ['', '其他组网', '', 1.3],
      ['', '无应答', '', null],
      ['', TARGET, TARGET, 1.3],
    ])
    expect(found.verdict).toEqual({ ok: 1, text: `${TARGET} 可达，共5跳` })
    expect(JSON.stringify(found.steps)).not.toMatch(/100\.64\.80\.1|192\.0\.2\.7/)
  })

  it('that ends on the way is not reached', async () => {
    const found = await run(plan, { P: [traced('100.64.0.1')] })
    expect(found.verdict).toEqual({ ok: 0, text: `${TARGET} 不可达，最后应答的是第1跳` })
  })
})
