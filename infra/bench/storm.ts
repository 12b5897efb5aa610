import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { PRESENCE } from '#contract/kernel/hub-limits.ts'
import { networkApi } from '#contract/network/index.ts'
import type { Call } from '#infra/local/api.ts'
import { type Fleet, startFleet } from '#infra/simulator/fleet.ts'
import { createAccount, openConsole } from './account.ts'
import { claimDevice } from './live-clients.ts'
import { type Finding, inRounds, print } from './report.ts'
import { type Stack, until } from './stack.ts'

/* Bench of a reconnect storm: a crash of the server cuts off all routers of a large customer; time until all return. */

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
const ACCOUNT = { username: 'storm01', password: 'Storm2026' }

export async function benchStorm(stack: Stack): Promise<readonly Finding[]> {
  if (AGENTS > MOST) throw new Error(`Open files allow for ${MOST} agents here: STORM_AGENTS=${MOST}`)
  await createAccount(stack, ACCOUNT, { network_member: AGENTS, center: AGENTS })
  const call = openConsole(stack, ACCOUNT.username)
  const { devices, numbers } = await createNetworks(stack, call)

  let pushes = 0
  const log = () => (line: string) => void (/^config \d+ received/.test(line) && pushes++)
  const startedAt = Date.now()
  const fleet = await startFleet({ server: stack.origin, devices, probes: false, log })
  try {
    const firstMs = (await allUp(fleet)) - startedAt
    const findings = await inRounds(async () => {
      const before = await settled(call, numbers)
      const pushesBefore = pushes
      const back = await crash(stack, fleet)
      const after = await settled(call, numbers)
      const moved = [...before].filter(([name, state]) => after.get(name) !== state).length
      return [
        ...back,
        { what: 'routers whose shown state or document moved', value: moved, unit: '', budget: 0, must: 'always be' },
        { what: 'documents pushed again', value: pushes - pushesBefore, unit: '', budget: 0, must: 'always be' },
      ]
    })
    const all = [{ what: 'first connection of all', value: firstMs / 1000, unit: 's' }, ...findings]
    const scale = AGENTS === BUDGET_AGENTS ? '' : ` (the budget is for ${BUDGET_AGENTS}; open files allow for ${MOST})`
    return print(`Reconnect storm of ${AGENTS} agents on loopback${scale}`, all)
  } finally {
    await fleet.stop()
  }
}

async function crash(stack: Stack, fleet: Fleet): Promise<readonly Finding[]> {
  const crashedAt = Date.now()
  const [openAt] = await Promise.all([portOpenAgain(stack.origin), stack.interrupt('kill')])
  const allAt = await allUp(fleet)
  const since = (at: number) => ({ value: (allAt - at) / 1000, unit: 's' })
  return [
    { what: 'all back after the crash', ...since(crashedAt) },
    { what: 'of it since the port was open', ...since(openAt), budget: BUDGET_SECONDS, must: 'stay below' },
  ]
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
