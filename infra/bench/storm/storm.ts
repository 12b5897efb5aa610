import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { PRESENCE, ROUTER_OUTBOX } from '#contract/kernel/hub-limits.ts'
import { networkApi } from '#contract/network/index.ts'
import type { Call } from '#infra/local/api.ts'
import { type Fleet, startFleet } from '#infra/simulator/fleet.ts'
import { createAccount, openConsole, openSession } from '../account.ts'
import { claimDevice, openViewer } from '../live-clients.ts'
import { type Finding, inRounds, p95, print, timed } from '../report.ts'
import { type Stack, startStack, until } from '../stack.ts'
import { type DatabaseReply, LIMITED, LIMIT_PATH } from './limit.ts'
import { modelStorm } from './model.ts'

/*
 * Bench of a reconnect storm: a crash of the server cuts off all routers of a large customer; time until all return, while
 * the database answers 50 calls a second. They come by their return tickets, and ask it for nothing.
 */

/** Open files per agent in workerd, which crashes at the limit: hub database, two files beside it, socket, request. */
const FILES_PER_AGENT = 5
const FILES_SPARE = 500
const MOST = Math.floor((openFilesLimit() - FILES_SPARE) / FILES_PER_AGENT)
const BUDGET_AGENTS = 5_000
/** Number of agents; STORM_AGENTS sets another one. */
const AGENTS = Number(process.env['STORM_AGENTS'] ?? Math.min(BUDGET_AGENTS, MOST))
const PER_NETWORK = 500
/** Budget from the time at which the port is open: the start of the server does not depend on the agents. */
const BUDGET_SECONDS = PRESENCE.restartSpreadMs / 1000 + 5
const GIVE_UP_MS = 180_000
/** Answers of a console in calm, and the pause between two. */
const CALM_CALLS = 40
const CALL_EVERY_MS = 100
/** Longest time of a console's answers, as a multiple of the time in calm. */
const SLOWER = 2
/** Consoles whose calls of the database are counted. */
const CONSOLES = 20
/** Scale of the model that is fed with the counts, and its budgets in seconds. */
const MODEL = { routers: 100_000, consoles: 50_000, routersS: 60, consolesS: 200 } as const
const MODEL_LIMITS = { perSecond: 1_000, shedMs: 2_000, spreadMs: PRESENCE.restartSpreadMs } as const
const ACCOUNT = { username: 'storm01', password: 'Storm2026' }

export async function benchStorm(): Promise<readonly Finding[]> {
  if (AGENTS > MOST) throw new Error(`Open files allow for ${MOST} agents here: STORM_AGENTS=${MOST}`)
  const stack = await startStack(['infra/bench/serve.ts', 'infra/bench/storm/worker.ts'])
  try {
    return await measure(stack)
  } finally {
    await stack.stop()
  }
}

async function measure(stack: Stack): Promise<readonly Finding[]> {
  await limitDatabase(stack, 0)
  await createAccount(stack, ACCOUNT, { network_member: AGENTS, center: AGENTS })
  const call = openConsole(stack, ACCOUNT.username)
  const { devices, numbers } = await createNetworks(stack, call)

  let pushes = 0
  const log = () => (line: string) => void (/^config \d+ received/.test(line) && pushes++)
  const startedAt = Date.now()
  const fleet = await startFleet({ server: stack.origin, devices, probes: false, log })
  try {
    const firstMs = (await allUp(fleet)) - startedAt
    await linesWritten()
    const findings = await inRounds(async () => {
      const before = await settled(call, numbers)
      const pushesBefore = pushes
      const { logLines } = await limitDatabase(stack, LIMITED.perSecond)
      const calm = await answerTimes(call, (count) => count >= CALM_CALLS)
      const back = await crash(stack, fleet, call, calm)
      const after = await settled(call, numbers)
      const moved = [...before].filter(([name, state]) => after.get(name) !== state).length
      await linesWritten()
      const lines = (await limitDatabase(stack, 0)).logLines - logLines
      return [
        ...back,
        ...modelOf(back, await countConsoles(stack)),
        none('routers whose shown state or document moved', moved),
        none('documents pushed again', pushes - pushesBefore),
        none('lines of the connection log', lines),
      ]
    })
    const all = [{ what: 'first connection of all', value: firstMs / 1000, unit: 's' }, ...findings]
    const scale = AGENTS === BUDGET_AGENTS ? '' : ` (the budget is for ${BUDGET_AGENTS}; open files allow for ${MOST})`
    return print(
      `Reconnect storm of ${AGENTS} agents on loopback, ${LIMITED.perSecond} calls of the database a second${scale}`,
      all,
    )
  } finally {
    await fleet.stop()
  }
}

const CONNECTS = 'calls of the database by connections'
const HUBS = 'calls of the database by hubs'

/** Calls of the database, of the Worker and of hubs, until a console's live socket shows its first frame. */
async function countConsoles(stack: Stack): Promise<number> {
  const token = await openSession(stack, ACCOUNT.username)
  const total = ({ hubs, others }: DatabaseReply) => hubs + others
  const before = total(await limitDatabase(stack, 0))
  for (let n = 0; n < CONSOLES; n++) {
    const shown = Promise.withResolvers<void>()
    const socket = await openViewer(stack.origin, token, { kind: 'account' }, (_, frame) => frame && shown.resolve())
    await shown.promise
    socket.close()
  }
  return (total(await limitDatabase(stack, 0)) - before) / CONSOLES
}

/** The same storm of a hundred thousand routers, by the counts of this round. */
function modelOf(back: readonly Finding[], consoleCalls: number): readonly Finding[] {
  const perAgent = (what: string) => (back.find((finding) => finding.what === what)?.value ?? 0) / AGENTS
  const calls = { connect: perAgent(CONNECTS), hub: perAgent(HUBS), console: consoleCalls }
  const { routers, consoles, routersS, consolesS } = MODEL
  const times = modelStorm({ routers, consoles, calls }, MODEL_LIMITS, Math.random)
  const scale = `model of ${routers} routers and ${consoles} consoles`
  return [
    { what: 'calls of the database by a console that comes back', value: consoleCalls, unit: '' },
    { what: `${scale}: routers`, value: times.routers / 1_000, unit: 's', budget: routersS, must: 'stay below' },
    { what: `${scale}: consoles`, value: times.consoles / 1_000, unit: 's', budget: consolesS, must: 'stay below' },
  ]
}

const none = (what: string, value: number): Finding => ({ what, value, unit: '', budget: 0, must: 'always be' })

/** Lines of the connection log wait for this long, unless something else is saved. */
const linesWritten = () => sleep(ROUTER_OUTBOX.logsMs + 2_000)

/** The Worker limits its database again with each start. */
async function crash(stack: Stack, fleet: Fleet, call: Call, calm: readonly number[]): Promise<readonly Finding[]> {
  const crashedAt = Date.now()
  const [openAt] = await Promise.all([portOpenAgain(stack.origin), stack.interrupt('kill')])
  let isOver = false
  const [allAt, busy] = await Promise.all([
    allUp(fleet).finally(() => (isOver = true)),
    answerTimes(call, () => isOver),
  ])
  const { connects, hubs } = await limitDatabase(stack, 0)
  const since = (at: number) => ({ value: (allAt - at) / 1000, unit: 's' })
  return [
    { what: 'all back after the crash', ...since(crashedAt) },
    { what: 'of it since the port was open', ...since(openAt), budget: BUDGET_SECONDS, must: 'stay below' },
    none(CONNECTS, connects),
    { what: HUBS, value: hubs, unit: '' },
    { what: 'p95 of a console in calm', value: p95(calm), unit: 'ms' },
    {
      what: 'p95 of a console meanwhile, to calm',
      value: p95(busy) / p95(calm),
      unit: '',
      budget: SLOWER,
      must: 'stay below',
    },
  ]
}

/** Sets the calls a second that the database answers, 0 for no limit, and reads what was counted. */
async function limitDatabase({ origin }: Stack, perSecond: number): Promise<DatabaseReply> {
  const response = await fetch(`${origin}${LIMIT_PATH}?per_second=${perSecond}`)
  return (await response.json()) as DatabaseReply
}

async function answerTimes(call: Call, isOver: (count: number) => boolean): Promise<readonly number[]> {
  const times: number[] = []
  while (!isOver(times.length)) {
    times.push((await timed(() => call(networkApi.lists, {}))).ms)
    await sleep(CALL_EVERY_MS)
  }
  return times
}

async function portOpenAgain(origin: string): Promise<number> {
  const { hostname, port } = new URL(origin)
  const isOpen = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(Number(port), hostname)
      socket.once('error', () => resolve(false))
      socket.once('connect', () => {
        socket.destroy()
        resolve(true)
      })
    })
  await until(async () => !(await isOpen()), GIVE_UP_MS)
  return until(isOpen, GIVE_UP_MS)
}

function openFilesLimit(): number {
  const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  return soft === undefined ? Infinity : Number(soft)
}

/** Creates networks of a centre and points, for the whole fleet. */
async function createNetworks(stack: Stack, call: Call) {
  const devices: { readonly serial: string; readonly code: string }[] = []
  const numbers: string[] = []
  for (let at = 0; at < AGENTS; at += PER_NETWORK) {
    for (let n = at; n < Math.min(at + PER_NETWORK, AGENTS); n++) {
      const serial = `NLSTORM${String(n).padStart(5, '0')}`
      devices.push({ serial, code: await claimDevice(stack, serial, call) })
    }
    const [center = '', ...point] = devices.slice(at).map(({ serial }) => serial)
    const plan = { network_name: `风暴${at}`, center: [center], point }
    numbers.push((await call(networkApi.create, plan)).network_number)
  }
  return { devices, numbers }
}

/** Waits until the console shows every router online with its document applied; returns the states. */
async function settled(call: Call, numbers: readonly string[]): Promise<Map<string, string>> {
  const states = new Map<string, string>()
  await until(async () => {
    const views = await Promise.all(numbers.map((network_number) => call(networkApi.status, { network_number })))
    const members = views.flatMap((view) => view.members)
    for (const { router_name, presence, config } of members)
      states.set(router_name, `${presence.state} ${presence.since} ${config.state} ${config.version}`)
    return members.every(({ presence, config }) => presence.state === 'online' && config.state === 'applied')
  }, GIVE_UP_MS)
  return states
}

const allUp = ({ agents }: Fleet): Promise<number> => until(() => agents.every(({ agent }) => agent.isUp), GIVE_UP_MS)
