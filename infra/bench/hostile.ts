import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { siteApi } from '#contract/site/index.ts'
import { callEndpoint } from '#infra/local/api.ts'
import { cpuSeconds } from './cpu.ts'
import { ATTACKS, type Attack, FRAME_LIMIT } from './hostile-device.ts'
import { HOSTILE_SESSIONS } from './hostile-tenant.ts'
import { startHostileTenant } from './hostile-thread.ts'
import { callEvenly } from './pace.ts'
import { type Finding, median, p99, print } from './report.ts'
import { openSession, writeTokens } from './sessions.ts'
import type { Stack } from './stack.ts'
import { networkApi } from '#contract/network/index.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { routerApi } from '#contract/router/index.ts'

const ROUNDS = Number(process.env['HOSTILE_ROUNDS'] ?? 8)
const SLICE_MS = 4_000
const PAUSE_MS = 1_000
const CALL_EVERY_MS = 20
/** Of so many calls of the other tenant one is a write. */
const WRITES_ONE_IN = 60
const BUDGET = 2
const IDLE_WAIT_MAX_MS = 20_000
/** Of a core, by which the server counts as idle. */
const IDLE_SHARE = 0.05

/** What a tenant waits while another one's devices send all that their hub accepts, and its people write all they may. */
export async function benchHostile(stack: Stack): Promise<readonly Finding[]> {
  const hostile = await startHostileTenant(stack)
  const victim = await createVictim(stack)
  const calm: number[] = []
  const under = new Map<Attack, number[]>(ATTACKS.map((attack) => [attack, []]))
  const busy = new Map<Attack | 'calm', number[]>()
  const slice = async (kind: Attack | 'calm'): Promise<number[]> => {
    const before = cpuSeconds(stack.workerdPid)
    const times = await victim.measure(SLICE_MS)
    const share = (cpuSeconds(stack.workerdPid) - before) / (SLICE_MS / 1_000)
    busy.set(kind, [...(busy.get(kind) ?? []), share])
    return times
  }
  await victim.measure(SLICE_MS) // warms everything that the first call of its kind pays for
  for (let round = 0; round < ROUNDS; round++) {
    for (const attack of ATTACKS) {
      await waitUntilIdle(stack)
      calm.push(...(await slice('calm')))
      hostile.attack(attack)
      await pause(PAUSE_MS)
      under.get(attack)?.push(...(await slice(attack)))
      await hostile.end()
    }
  }
  const writes = await hostile.close()
  const calmMs = p99(calm)
  const share = (kind: Attack | 'calm') => `${(100 * median(busy.get(kind) ?? [])).toFixed(0)} %`
  const findings: Finding[] = [
    { what: 'calm, median', value: median(calm), unit: 'ms', note: `${calm.length} calls` },
    { what: 'calm, p99', value: calmMs, unit: 'ms', note: `server ${share('calm')} of a core` },
    ...[...under].flatMap(([attack, times]): Finding[] => [
      {
        what: `${attack}, p99`,
        value: p99(times) / calmMs,
        unit: 'times calm',
        budget: BUDGET,
        must: 'stay below',
        note: `${p99(times).toFixed(1)} ms, median ${median(times).toFixed(1)} ms, longest ${Math.max(...times).toFixed(0)} ms, server ${share(attack)} of a core`,
      },
    ]),
    { what: 'writes of the hostile tenant', value: writes, unit: '' },
  ]
  print(
    `A tenant beside a hostile one: ${FRAME_LIMIT} frames a second, ${HOSTILE_SESSIONS} sessions of writes`,
    findings,
  )
  return findings
}

/** What an attack has left behind is none of the next calm slice. */
async function waitUntilIdle({ workerdPid }: Stack): Promise<void> {
  for (const until = Date.now() + IDLE_WAIT_MAX_MS; Date.now() < until;) {
    const before = cpuSeconds(workerdPid)
    await pause(PAUSE_MS)
    if (cpuSeconds(workerdPid) - before < (IDLE_SHARE * PAUSE_MS) / 1_000) return
  }
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** The demo's tenant, as a console uses it: reads, and now and then a write. */
async function createVictim(stack: Stack) {
  const { origin } = stack
  const api = <E extends Endpoint>(token: string, spec: E, input: Input<E>) =>
    callEndpoint(origin, '/api/v1', spec, input, token)
  const token = await openSession(stack, 'demo01')
  const writeToken = writeTokens(stack, 'demo01')
  const [network] = await api(token, networkApi.select, {})
  const network_number = network?.network_number ?? ''
  const reads = [
    () => api(token, networkApi.lists, { page: 1 }),
    () => api(token, routerApi.lists, { page: 1 }),
    () => api(token, networkApi.info, { network_number }),
    () => api(token, networkApi.status, { network_number }),
    () => api('', siteApi.config, {}),
  ]
  let calls = 0
  const call = async (): Promise<number> => {
    const n = calls++
    const isWrite = n % WRITES_ONE_IN === 0
    const own = isWrite ? await writeToken() : ''
    const startedAt = performance.now()
    if (isWrite)
      await api(own, routerApi.note, { router_name: 'NL22P001', note: `北京分公司${n}`.slice(0, NETWORK.noteMax) })
    else await reads[n % reads.length]?.()
    return performance.now() - startedAt
  }
  return {
    measure: (ms: number): Promise<number[]> => callEvenly(call, CALL_EVERY_MS, pause(ms)),
  }
}
