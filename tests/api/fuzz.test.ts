import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { EXAMPLE } from '#contract/kernel/endpoint.ts'
import { deviceApi } from '#contract/device/index.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { API, OPS } from '#contract/api.ts'
import { clientLogin, createClients } from '#tests/support/clients.ts'
import { createMainAccount, createNetwork, createRouter, createSubAccount } from '#tests/support/fixtures.ts'
import { chosenCalls, repetitions, seedsOf } from '#tests/support/depth.ts'
import { createRandom } from '#tests/support/random.ts'
import { type FuzzedRequest, type Target, fuzzedRequest, numberSweep } from '#tests/support/fuzz/requests.ts'
import { request } from '#tests/support/test-worker.ts'

const CALLS = chosenCalls() ?? repetitions(24_000)
const CALLS_PER_FIXTURES = 100
/** Enough for any number of calls on a busy machine. */
const TIMEOUT_MS = Math.max(600_000, 200 * CALLS)

const TARGETS: readonly Target[] = [
  ...API.map((spec) => ({ mount: '/api/v1', spec })),
  ...OPS.filter(({ path }) => path !== 'hubs/hold_on').map((spec) => ({ mount: '/ops/v1', spec })), // then every device waits
  ...Object.values(deviceApi).map((spec) => ({ mount: '/device/v1', spec })),
]

const tally = new Map<number, number>()

/** Faults of the answer to a call, one sentence at most; empty if the answer is correct. */
async function findFault({ path, init }: FuzzedRequest): Promise<readonly string[]> {
  const response = await request(path, init)
  const text = new TextDecoder().decode(await response.arrayBuffer()) // workbooks, too
  const code = readCode(text)
  tally.set(code, (tally.get(code) ?? 0) + 1)
  const isEnvelope = code > 0 || response.headers.has('content-disposition')
  if (isEnvelope && response.status < 500 && code !== RESULT.fault) return []
  const sent = `${init.method} ${path.slice(0, 200)} ${init.body?.slice(0, 300) ?? ''}`
  return [`${sent} → ${response.status} ${text.slice(0, 100)}`]
}

it.each(seedsOf('fuzz'))(
  'every number of every endpoint as every hostile number: never a fault (seed %i)',
  async (seed) => {
    const random = createRandom(seed)
    const { callers, ids } = await createFixtures()
    const faults: string[] = []
    for (const target of TARGETS) {
      const token = target.mount === '/ops/v1' ? env.OPERATOR_TOKEN : callers[0]
      for (const sent of numberSweep(random, target, token, ids)) faults.push(...(await findFault(sent)))
    }
    expect(faults).toEqual([])
  },
)

it.each(seedsOf('fuzz'))(
  `${CALLS} fuzzed calls over every endpoint: always the envelope, never a fault (seed %i)`,
  { timeout: TIMEOUT_MS },
  async (seed) => {
    const random = createRandom(seed)
    let fixtures = await createFixtures()
    const faults: string[] = []
    for (let call = 0; call < CALLS; call++) {
      // Some calls sign out, delete or disable what others need.
      if (call > 0 && call % CALLS_PER_FIXTURES === 0) fixtures = await createFixtures()
      const target = TARGETS[call % TARGETS.length] as Target
      const token = target.mount === '/ops/v1' ? env.OPERATOR_TOKEN : random.pick(fixtures.callers)
      faults.push(...(await findFault(fuzzedRequest(random, target, token, fixtures.ids))))
    }
    console.log(`fuzz, seed ${seed}:`, Object.fromEntries([...tally].toSorted(([a], [b]) => a - b)))
    expect(faults).toEqual([])
    expect(tally.get(RESULT.ok)).toBeGreaterThan(0)
  },
)

/** An account with a network, its people, and what its examples name. */
async function createFixtures() {
  const main = await createMainAccount({ services: { network_member: 10, software_member: 10 } })
  const router = await createRouter(main.accountId)
  const number = await createNetwork(main, [router])
  const sub = await createSubAccount(main, { flags: ['router:edit', 'network:edit'] })
  const client = await clientLogin((await createClients())[0]!.name)
  return {
    callers: [main.token, main.token, sub.token, client.data.access_token, undefined],
    ids: { [EXAMPLE.network_number]: number, [EXAMPLE.router_name]: router.name, company01: main.username },
  }
}

/** The code of an envelope; 0 for anything else. */
function readCode(text: string): number {
  try {
    const { code, msg } = JSON.parse(text) as { code?: unknown; msg?: unknown }
    return typeof code === 'number' && typeof msg === 'string' ? code : 0
  } catch {
    return 0
  }
}
