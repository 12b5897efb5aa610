import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { JWK } from 'jose'
import { deviceApi } from '#contract/device/index.ts'
import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { PRESENCE } from '#contract/kernel/hub-limits.ts'
import { opsApi } from '#contract/ops/index.ts'
import { createDeviceKey, publicPart } from '#infra/agent/identity.ts'
import { signIn } from '#infra/demo/load.ts'
import { callEndpoint } from '#infra/local/api.ts'
import { memoryMiB } from '#infra/local/memory.ts'
import { type Fleet, startFleet } from '#infra/simulator/fleet.ts'
import { cpuSeconds } from './cpu.ts'
import { type Finding, print } from './report.ts'
import { type WriteToken, writeTokens } from './sessions.ts'
import type { Stack } from './stack.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'

/** Open files per agent in workerd, which crashes at the limit: its hub's database, two files beside it, its socket, a request. */
const FILES_PER_AGENT = 5
const FILES_SPARE = 500
const MOST = Math.floor((openFilesLimit() - FILES_SPARE) / FILES_PER_AGENT)
const BUDGET_AGENTS = 5_000
/** STORM_AGENTS asks for another size. */
const AGENTS = Number(process.env['STORM_AGENTS'] ?? Math.min(BUDGET_AGENTS, MOST))
const PER_NETWORK = 500
/** From the moment the port is open again: how long a server takes to start is not the agents' part. */
const BUDGET_SECONDS = PRESENCE.restartSpreadMs / 1000 + 5
const GIVE_UP_MS = 180_000
const AT_ONCE = 16
const ACCOUNT = { username: 'storm01', password: 'Storm2026' }
const YEAR_MS = 365 * 86_400_000

interface Device {
  readonly serial: string
  readonly code: string
  readonly key: JWK
}

/** Every router of a large customer is cut off by one crash of the server: how long until all are back, and at what cost. */
export async function benchStorm(stack: Stack): Promise<readonly Finding[]> {
  if (AGENTS > MOST) throw new Error(`Open files allow for ${MOST} agents here: STORM_AGENTS=${MOST}`)
  const ops = <E extends Endpoint>(spec: E, input: Input<E>) =>
    callEndpoint(stack.origin, '/ops/v1', spec, input, stack.operatorToken)
  await ops(opsApi.createAccount, { ...ACCOUNT, nickname: '风暴测试', email: 'storm@storm.example' })
  const term = { start_time: Date.now(), expired_time: Date.now() + YEAR_MS, account: ACCOUNT.username }
  await ops(opsApi.setService, { ...term, kind: 'network_member', name: '成员', quantity: AGENTS })
  await ops(opsApi.setService, { ...term, kind: 'center', name: '中心点', quantity: AGENTS })
  const token = await signIn(stack.origin, ACCOUNT.username, ACCOUNT.password)
  const devices = await inParallel(AGENTS, (n) => enrolledDevice(stack, n))
  const writeToken = writeTokens(stack, ACCOUNT.username)
  for (const { serial: username, code } of devices) {
    await callEndpoint(stack.origin, '/api/v1', routerApi.add, { router_type: 1, username, code }, await writeToken())
  }
  const numbers = await joinNetworks(stack, writeToken, devices)

  let pushes = 0
  const count = (line: string) => (/^config \d+ received/.test(line) ? pushes++ : 0)
  const startedAt = Date.now()
  const fleet = await startFleet({ server: stack.origin, devices, probes: false, log: () => count })
  try {
    await allUp(fleet)
    const firstMs = Date.now() - startedAt
    const before = await settled(stack, token, numbers)
    const pushesBefore = pushes

    const crashedAt = Date.now()
    const answering = stack.crash().then(() => Date.now())
    const listening = listensAgain(stack.origin)
    const back = until(() => upCount(fleet) < AGENTS / 2)
      .then(() => until(() => upCount(fleet) >= AGENTS / 2))
      .then(async (halfAt) => ({ halfMs: halfAt - crashedAt, allMs: (await allUp(fleet)) - crashedAt }))
    const [{ halfMs, allMs }, answersAt, listensAt] = await Promise.all([back, answering, listening])
    const backMs = allMs - (listensAt - crashedAt)
    const cpuMs = (cpuSeconds(stack.workerdPid) * 1000) / AGENTS
    const after = await settled(stack, token, numbers)
    const isUntouched = (name: string) => after.get(name) === before.get(name)
    const findings: Finding[] = [
      { what: 'first connection of all', value: firstMs / 1000, unit: 's' },
      { what: 'nothing listened', value: (listensAt - crashedAt) / 1000, unit: 's' },
      { what: 'server ready after', value: (answersAt - crashedAt) / 1000, unit: 's' },
      { what: 'half of them back after the crash', value: halfMs / 1000, unit: 's' },
      { what: 'all back after the crash', value: allMs / 1000, unit: 's' },
      {
        what: 'of it since the port was open',
        value: backMs / 1000,
        unit: 's',
        budget: BUDGET_SECONDS,
        must: 'stay below',
      },
      { what: 'processor time of the server since its start, an agent', value: cpuMs, unit: 'ms' },
      {
        what: 'routers whose shown state moved, or whose document was lost',
        value: [...before.keys()].filter((name) => !isUntouched(name)).length,
        unit: 'routers',
        budget: 0,
        must: 'stay below',
      },
      { what: 'documents pushed again', value: pushes - pushesBefore, unit: 'pushes', budget: 0, must: 'stay below' },
      { what: 'workerd afterwards', value: memoryMiB(stack.workerdPid), unit: 'MiB' },
    ]
    const scale =
      AGENTS === BUDGET_AGENTS ? '' : ` (the budget is set for ${BUDGET_AGENTS}; open files allow for ${MOST})`
    print(`Reconnect storm of ${AGENTS} agents on loopback${scale}`, findings)
    return findings
  } finally {
    await fleet.stop()
  }
}

/** When the port is open again after it was closed. */
async function listensAgain(origin: string): Promise<number> {
  const { hostname, port } = new URL(origin)
  const isOpen = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(Number(port), hostname)
      socket.once('error', () => resolve(false))
      socket.once('connect', () => resolve(true))
      socket.once('connect', () => socket.destroy())
    })
  while (await isOpen()) await pause()
  while (!(await isOpen())) await pause()
  return Date.now()
}

function openFilesLimit(): number {
  const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  return soft === undefined ? Infinity : Number(soft)
}

async function enrolledDevice({ origin, operatorToken }: Stack, n: number): Promise<Device> {
  const serial = `NLSTORM${String(n).padStart(5, '0')}`
  const device = { serial, model: 'NL-R220' }
  const { activation_code: code } = await callEndpoint(origin, '/ops/v1', opsApi.provisionDevice, device, operatorToken)
  const key = await createDeviceKey()
  const enrolment = { serial, activation_code: code, public_key: publicPart(key) as never }
  await callEndpoint(origin, '/device/v1', deviceApi.enrol, enrolment)
  return { serial, code, key }
}

/** Networks of a centre and its points, as many as the fleet fills. */
async function joinNetworks({ origin }: Stack, writeToken: WriteToken, devices: readonly Device[]): Promise<string[]> {
  const numbers: string[] = []
  for (let at = 0; at < devices.length; at += PER_NETWORK) {
    const [center = '', ...point] = devices.slice(at, at + PER_NETWORK).map(({ serial }) => serial)
    const plan = { network_name: `风暴${at}`, center: [center], point }
    numbers.push((await callEndpoint(origin, '/api/v1', networkApi.create, plan, await writeToken())).network_number)
  }
  return numbers
}

/** What the console shows of each router once every one is online with its document applied. */
async function settled({ origin }: Stack, token: string, numbers: readonly string[]): Promise<Map<string, string>> {
  for (const end = Date.now() + GIVE_UP_MS; ; await pause()) {
    const views = await Promise.all(
      numbers.map((number) => callEndpoint(origin, '/api/v1', networkApi.status, { network_number: number }, token)),
    )
    const members = views.flatMap((view) => view.members)
    const isSettled = members.every(({ presence, config }) => presence.state === 'online' && config.state === 'applied')
    if (isSettled || Date.now() > end) {
      return new Map(
        members.map((m) => [
          m.router_name,
          `${m.presence.state} ${m.presence.since} ${m.config.state} ${m.config.version}`,
        ]),
      )
    }
  }
}

const upCount = ({ agents }: Fleet): number => agents.filter(({ agent }) => agent.isUp).length
const allUp = (fleet: Fleet): Promise<number> => until(() => upCount(fleet) === AGENTS)

async function until(isTrue: () => boolean): Promise<number> {
  for (const end = Date.now() + GIVE_UP_MS; !isTrue(); await pause()) {
    if (Date.now() > end) throw new Error(`not within ${GIVE_UP_MS / 1000} s`)
  }
  return Date.now()
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100))

async function inParallel<T>(amount: number, make: (n: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (let at = 0; at < amount; at += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, amount - at) }, (_, i) => make(at + i))
    made.push(...(await Promise.all(some)))
  }
  return made
}
