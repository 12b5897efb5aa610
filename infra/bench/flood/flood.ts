import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { deviceApi } from '#contract/device/index.ts'
import { CALL_LIMIT, CALL_LIMITS } from '#contract/kernel/limits.ts'
import { networkApi } from '#contract/network/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { createAccount, openConsole } from '../account.ts'
import { type Finding, p95, print, timed } from '../report.ts'
import { type Stack, startStack } from '../stack.ts'
import { limitDatabase } from '../storm/limit.ts'
import { ADDRESS_HEADER, type BenchDevice, createDevices } from './bench-device.ts'

/*
 * Bench of floods from 50 address blocks, with the limits of the platform: calls of the database, the wait of a console, and
 * devices behind one of the attacking addresses.
 */

const BLOCKS = 50
const CALLS = 10_000
const FLOOD_MS = 55_000 // within one period of the limits
const TICK_MS = 20
const CALM_MS = 15_000
const READ_MS = 100 // between two calls of the console
const SLOWER = 2 // than the console alone
const PERIOD_MS = CALL_LIMIT.periodS * 1000
const ACCOUNT = { username: 'flood01', password: 'Flood2026' }

/** Devices that come back behind an attacking address by their return tickets, and others that have none. */
const RETURNING = 200
const WITHOUT_TICKET = 10
const RETURN_AFTER_MS = 20_000 // from the beginning of the flood
const RETURN_OVER_MS = 10_000 // which is a fifth of the time that they take after a restart
const AT_ONCE_S = 5
const WITHOUT_TICKET_MINUTES = 20

export async function benchFlood(): Promise<readonly Finding[]> {
  const worker = ['infra/bench/serve.ts', 'infra/bench/storm/worker.ts']
  const stack = await startStack(worker, { variables: { CALL_LIMITS: '1' } })
  try {
    return print(`Floods of ${CALLS} calls in a minute`, await measure(stack))
  } finally {
    await stack.stop()
  }
}

async function measure(stack: Stack): Promise<readonly Finding[]> {
  await limitDatabase(stack, 0)
  await createAccount(stack, ACCOUNT, { network_member: RETURNING + WITHOUT_TICKET })
  const call = openConsole(stack, ACCOUNT.username)
  const devices = await createDevices(stack, call, RETURNING + WITHOUT_TICKET)
  for (const device of devices.slice(0, RETURNING)) await device.takeTicket()
  const read = createReader(() => call(networkApi.lists, {}))
  const calm = await read(sleep(CALM_MS))

  const captchaUrl = `${stack.origin}/api/v1/${verifyApi.code.path}`
  const connectUrl = `${stack.origin}/device/v1/${deviceApi.connect.path}`
  const captchas = await flood(read, {
    send: (address) => ask(captchaUrl, address),
  })
  const connects = await flood(read, {
    send: (address, n) => ask(connectUrl, address, { authorization: `Bearer ${madeUpToken(n)}` }),
    meanwhile: () => comeBack(stack, devices),
  })
  return [
    { what: 'console alone, p95', value: calm, unit: 'ms' },
    ...toFindings('captchas', captchas, calm, 1_600),
    ...toFindings('connects with made-up tokens', connects, calm, 500),
    ...connects.findings,
  ]
}

interface Attack {
  /** Sends one call, and answers the number of database calls behind it. */
  send(address: string, n: number): Promise<number>
  /** Other work from the beginning of the flood on. */
  meanwhile?(): Promise<readonly Finding[]>
}

interface Flood {
  readonly trips: number
  readonly waitMs: number
  readonly findings: readonly Finding[]
}

const toFindings = (what: string, { trips, waitMs }: Flood, calm: number, budget: number): readonly Finding[] => [
  { what: `${what}: calls of the database`, value: trips, unit: '', budget, must: 'stay below' },
  {
    what: `${what}: console, p95`,
    value: waitMs / calm,
    unit: '× alone',
    budget: SLOWER,
    must: 'stay below',
    note: `${waitMs.toFixed(0)} ms`,
  },
]

/** Sends the calls evenly from the beginning of a period on, beside a console. */
async function flood(read: Reader, { send, meanwhile = async () => [] }: Attack): Promise<Flood> {
  await sleep(PERIOD_MS - (Date.now() % PERIOD_MS))
  const attack = Promise.all([sendEvenly(send), meanwhile()])
  const waitMs = await read(attack)
  const [trips, findings] = await attack
  return { trips, waitMs, findings }
}

async function sendEvenly(send: Attack['send']): Promise<number> {
  let trips = 0
  const failures: unknown[] = []
  const sent: Promise<unknown>[] = []
  const add = (count: number) => (trips += count)
  for (const startedAt = Date.now(); sent.length < CALLS; await sleep(TICK_MS)) {
    const due = Math.min(CALLS, Math.ceil(((Date.now() - startedAt) / FLOOD_MS) * CALLS))
    while (sent.length < due)
      sent.push(send(addressOf(sent.length), sent.length).then(add, (error: unknown) => failures.push(error)))
  }
  await Promise.all(sent)
  if (failures.length > 0) throw new Error(`${failures.length} calls failed, the first with ${String(failures[0])}`)
  return trips
}

const addressOf = (n: number): string => `10.${n % BLOCKS}.7.${Math.floor(n / BLOCKS) % 250}`

type Reader = (during: Promise<unknown>) => Promise<number>

/** Calls of a console during some work: 95 in 100 are answered within the returned milliseconds. */
const createReader =
  (call: () => Promise<unknown>): Reader =>
  async (during) => {
    let isOver = false
    const end = () => void (isOver = true)
    during.then(end, end)
    const waits: number[] = []
    for (; !isOver; await sleep(READ_MS)) waits.push((await timed(call)).ms)
    return p95(waits)
  }

/** Connections of all attackers. Calls wait for one, so that a busy machine does not open thousands. */
const agent = new Agent({ keepAlive: true, maxSockets: 100 })

/** Number of database calls behind the answer. */
const ask = (url: string, address: string, more: Readonly<Record<string, string>> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { [ADDRESS_HEADER]: address, ...more } }, (response) => {
      const { statusCode, headers } = response
      const trips = headers['x-db-trips']
      response.resume().once('end', () => {
        if (typeof trips === 'string') resolve(Number(trips))
        else reject(new Error(`${statusCode} without the number of database calls`))
      })
    })
    request.once('error', reject)
  })

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

const madeUpToken = (n: number): string => `${encode({ alg: 'EdDSA' })}.${encode({ iss: `NL-MADE-UP-${n}` })}.AAAA`

/** Honest devices come behind an attacking address: those with a ticket are connected, the others get a time to wait. */
async function comeBack(stack: Stack, devices: readonly BenchDevice[]): Promise<readonly Finding[]> {
  await sleep(RETURN_AFTER_MS)
  const before = await limitDatabase(stack, 0)
  const answers = await Promise.all(
    devices.map(async (device, n) => {
      await sleep((n / devices.length) * RETURN_OVER_MS)
      const { result: reason, ms } = await timed(() => device.connect(addressOf(0)))
      return { reason, ms }
    }),
  )
  const after = await limitDatabase(stack, 0)
  const welcomed = answers.filter(({ reason }) => reason === null)
  const waiting = answers.filter(({ reason }) => reason === `retry_after=${CALL_LIMIT.retryAfterS}`)
  const what = 'devices behind an attacking address'
  const always = { unit: '', must: 'always be' } as const
  return [
    { what: `${what}: with tickets, connected`, value: welcomed.length, budget: RETURNING, ...always },
    {
      what: `${what}: the slowest of them`,
      value: Math.max(...welcomed.map(({ ms }) => ms)) / 1000,
      unit: 's',
      budget: AT_ONCE_S,
      must: 'stay below',
    },
    { what: `${what}: calls of the database`, value: after.connects - before.connects, budget: 0, ...always },
    {
      what: `${what}: without tickets, refused with a time to wait`,
      value: waiting.length,
      budget: WITHOUT_TICKET,
      ...always,
    },
    {
      what: `${RETURNING} without tickets, once the flood is over`,
      value: RETURNING / CALL_LIMITS.connect,
      unit: 'min',
      budget: WITHOUT_TICKET_MINUTES,
      must: 'stay below',
      note: `computed: ${CALL_LIMITS.connect} a minute of a block; while it lasts they compete with it`,
    },
  ]
}
