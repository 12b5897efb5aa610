import { setTimeout as sleep } from 'node:timers/promises'
import { deviceApi } from '#contract/device/index.ts'
import { CALL_LIMIT } from '#contract/kernel/limits.ts'
import { networkApi } from '#contract/network/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { signIn } from '#infra/demo/load.ts'
import { type Finding, print, timed } from '../report.ts'
import { type Stack, startStack } from '../stack.ts'

/* Bench of floods from 50 address blocks, with the limits of the platform: calls of the database, and the wait of a console. */

const BLOCKS = 50
const CALLS = 10_000
const FLOOD_MS = 55_000 // within one period of the limits
const TICK_MS = 20
const CALM_MS = 15_000
const READ_MS = 100 // between two calls of the console
const PERIOD_MS = CALL_LIMIT.periodS * 1000

export async function benchFlood(): Promise<readonly Finding[]> {
  const stack = await startStack(undefined, { variables: { CALL_LIMITS: '1' } })
  try {
    return print(`Floods of ${CALLS} calls in a minute`, await measure(stack))
  } finally {
    await stack.stop()
  }
}

async function measure({ origin }: Stack): Promise<readonly Finding[]> {
  const read = createReader(`${origin}/api/v1/${networkApi.lists.path}`, await signIn(origin, 'demo01'))
  const calm = await read(sleep(CALM_MS))
  const captchas = await flood(read, (address) => ask(`${origin}/api/v1/${verifyApi.code.path}`, address))
  const connects = await flood(read, (address, n) =>
    ask(`${origin}/device/v1/${deviceApi.connect.path}`, address, { authorization: `Bearer ${madeUpToken(n)}` }),
  )
  return [
    { what: 'console alone, p95', value: calm, unit: 'ms' },
    ...toFindings('captchas', captchas, calm, 1_600),
    ...toFindings('connects with made-up tokens', connects, calm, 500),
  ]
}

interface Flood {
  readonly trips: number
  readonly waitMs: number
}

const toFindings = (what: string, { trips, waitMs }: Flood, calm: number, budget: number): readonly Finding[] => [
  { what: `${what}: calls of the database`, value: trips, unit: '', budget, must: 'stay below' },
  {
    what: `${what}: console, p95`,
    value: waitMs / calm,
    unit: '× alone',
    budget: 2,
    must: 'stay below',
    note: `${waitMs.toFixed(0)} ms`,
  },
]

/** Sends the calls evenly from the beginning of a period on. */
async function flood(read: Reader, call: (address: string, n: number) => Promise<number>): Promise<Flood> {
  await sleep(PERIOD_MS - (Date.now() % PERIOD_MS))
  const sent: Promise<number>[] = []
  const sending = async () => {
    for (const startedAt = Date.now(); sent.length < CALLS; await sleep(TICK_MS)) {
      const due = Math.min(CALLS, Math.ceil(((Date.now() - startedAt) / FLOOD_MS) * CALLS))
      while (sent.length < due) sent.push(call(addressOf(sent.length), sent.length))
    }
  }
  const waitMs = await read(sending())
  const trips = await Promise.all(sent)
  return { trips: trips.reduce((sum, count) => sum + count, 0), waitMs }
}

const addressOf = (n: number): string => `10.${n % BLOCKS}.7.${Math.floor(n / BLOCKS) % 250}`

type Reader = (during: Promise<unknown>) => Promise<number>

/** Calls of a console during some work: 95 in 100 are answered within the returned milliseconds. */
const createReader =
  (url: string, token: string): Reader =>
  async (during) => {
    let isOver = false
    void during.finally(() => (isOver = true))
    const waits: number[] = []
    for (; !isOver; await sleep(READ_MS)) {
      const { result, ms } = await timed(() => fetch(url, { headers: { authorization: `Bearer ${token}` } }))
      if (!result.ok) throw new Error(`${url}: ${result.status}`)
      await result.arrayBuffer()
      waits.push(ms)
    }
    return waits.toSorted((a, b) => a - b)[Math.ceil(waits.length * 0.95) - 1] ?? 0
  }

/** Number of database calls behind the answer. */
async function ask(url: string, address: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const response = await fetch(url, { headers: { 'cf-connecting-ip': address, ...headers } })
  await response.arrayBuffer()
  return Number(response.headers.get('x-db-trips'))
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

const madeUpToken = (n: number): string => `${encode({ alg: 'EdDSA' })}.${encode({ iss: `NL-MADE-UP-${n}` })}.AAAA`
