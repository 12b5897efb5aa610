import type { Endpoint, Input } from '../../worker/contract/endpoint.ts'
import { accountApi } from '../../worker/contract/account.ts'
import { NETWORK, WRITE_BUDGET } from '../../worker/contract/limits.ts'
import { networkApi } from '../../worker/contract/network.ts'
import { opsApi } from '../../worker/contract/ops.ts'
import { routerApi } from '../../worker/contract/router.ts'
import { siteApi } from '../../worker/contract/site.ts'
import { linkId } from '../../worker/domain/network/links.ts'
import { callEndpoint } from '../local/api.ts'
import { cpuSeconds } from './cpu.ts'
import { claimDevice, loadIdentity } from './device.ts'
import { ATTACKS, type Attack, FRAME_LIMIT, type HostileDevice, openHostileDevice } from './hostile-device.ts'
import { type Finding, median, print } from './report.ts'
import { openSession, writeTokens } from './sessions.ts'
import type { Stack } from './stack.ts'

const ROUNDS = Number(process.env['HOSTILE_ROUNDS'] ?? 4)
const SLICE_MS = 4_000
const PAUSE_MS = 1_000
const CALL_EVERY_MS = 20
/** Of so many calls of the other tenant one is a write. */
const WRITES_ONE_IN = 60
const SESSIONS = 5
const POINTS = 255
const BUDGET = 2
const SETTLE_MAX_MS = 20_000
/** Of a core, by which the server counts as idle. */
const IDLE_SHARE = 0.05
const YEAR_MS = 365 * 86_400_000
const ACCOUNT = { username: 'hostile01', password: 'Hostile2026' }
const NOBODY = 'taken'

/** What a tenant waits while another one's devices send all that their hub accepts, and its people write all they may. */
export async function benchHostile(stack: Stack): Promise<readonly Finding[]> {
  const hostile = await createHostileTenant(stack)
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
      await settle(stack)
      calm.push(...(await slice('calm')))
      const end = hostile.attack(attack)
      await pause(PAUSE_MS)
      under.get(attack)?.push(...(await slice(attack)))
      await end()
    }
  }
  hostile.close()
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
    { what: 'writes of the hostile tenant', value: hostile.writes(), unit: '' },
  ]
  print(`A tenant beside a hostile one: ${FRAME_LIMIT} frames a second, ${SESSIONS} sessions of writes`, findings)
  return findings
}

/** What an attack has left behind is none of the next calm slice. */
async function settle({ workerdPid }: Stack): Promise<void> {
  for (const until = Date.now() + SETTLE_MAX_MS; Date.now() < until;) {
    const before = cpuSeconds(workerdPid)
    await pause(PAUSE_MS)
    if (cpuSeconds(workerdPid) - before < (IDLE_SHARE * PAUSE_MS) / 1_000) return
  }
}

const p99 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? 0

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

async function createHostileTenant(stack: Stack) {
  const { origin, operatorToken } = stack
  const ops = <E extends Endpoint>(spec: E, input: Input<E>) =>
    callEndpoint(origin, '/ops/v1', spec, input, operatorToken)
  const api = <E extends Endpoint>(token: string, spec: E, input: Input<E>) =>
    callEndpoint(origin, '/api/v1', spec, input, token)
  const account = ACCOUNT.username
  await ops(opsApi.createAccount, { ...ACCOUNT, nickname: '邻居租户', email: 'hostile@hostile.example' })
  const term = { account, start_time: Date.now(), expired_time: Date.now() + YEAR_MS, quantity: 2 * POINTS }
  await ops(opsApi.setService, { ...term, kind: 'network_member', name: '成员' })
  await ops(opsApi.setService, { ...term, kind: 'software_member', name: '软件成员' })
  const writeToken = writeTokens(stack, account)
  await api(await writeToken(), accountApi.editSign, { sign: 'hostile' })
  await api(await writeToken(), routerApi.add, { router_type: 2, username: NOBODY, password: 'Weilai26' })
  const name = (n: number) => `NLHOST${String(n).padStart(4, '0')}`
  const codes: string[] = []
  for (let n = 0; n <= POINTS + 1; n++) codes.push(await claimDevice(stack, name(n), await writeToken()))
  const points = Array.from({ length: POINTS }, (_, i) => name(i + 1))
  const plan = { network_name: '邻居组网', center: [name(0)], point: points }
  const { network_number } = await api(await writeToken(), networkApi.create, plan)
  const open = async (n: number, ids: readonly string[]) =>
    openHostileDevice(stack, await loadIdentity(stack, name(n), codes[n] ?? ''), name(n), ids)
  const devices: readonly (readonly [HostileDevice, number])[] = [
    [
      await open(
        0,
        points.map((point) => linkId(network_number, point, name(0))),
      ),
      FRAME_LIMIT,
    ],
    [await open(1, []), 3 * FRAME_LIMIT],
  ]
  let written = 0
  /** What a session writes, in turn; a refusal counts against its budget, too. */
  const write = async (token: string, n: number): Promise<void> => {
    const calls = [
      () => api(token, networkApi.ciphers, { network_number, ncp_ciphers: n % 2 === 0 ? 'sm' : 'default' }),
      () => api(token, routerApi.add, { router_type: 2, username: NOBODY, password: 'Weilai26' }),
      () => api(token, networkApi.reSendConfig, { network_number }),
      () => api(token, networkApi.edit, { ...plan, network_number, point: n % 2 === 0 ? points : points.slice(1) }),
      () => api(token, routerApi.note, { router_name: name(2), note: `第${n}次` }),
      () => api(token, networkApi.name, { network_number, network_name: `邻居组网${n}` }),
    ]
    written += 1
    await calls[n % calls.length]?.().catch(() => {})
  }
  return {
    writes: () => written,
    /** Until the returned function is called. */
    attack: (attack: Attack) => {
      let isOver = false
      for (const [device, frames] of devices) device.start(attack, frames)
      const writers = Array.from({ length: SESSIONS }, async (_, i) => {
        const token = await openSession(stack, account)
        const everyMs = WRITE_BUDGET.windowMs / WRITE_BUDGET.limit
        await pause((i * everyMs) / SESSIONS)
        for (let n = i; !isOver; n++) {
          const next = pause(everyMs)
          await write(token, n)
          await next
        }
      })
      return async () => {
        isOver = true
        for (const [device] of devices) device.stop()
        await Promise.all(writers)
      }
    },
    close: () => {
      for (const [device] of devices) device.close()
    },
  }
}

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
    /** Calls at an even pace, whether or not those before were answered. */
    measure: async (ms: number): Promise<number[]> => {
      const waiting: Promise<number>[] = []
      for (const until = performance.now() + ms; performance.now() < until; await pause(CALL_EVERY_MS))
        waiting.push(call())
      return Promise.all(waiting)
    },
  }
}
