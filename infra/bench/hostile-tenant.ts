import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { WRITE_BUDGET } from '#contract/kernel/limits.ts'
import { opsApi } from '#contract/ops/index.ts'
import { linkId } from '#domain/network/members/links.ts'
import { callEndpoint } from '#infra/local/api.ts'
import { claimDevice, loadIdentity } from './device.ts'
import { type Attack, FRAME_LIMIT, type HostileDevice, openHostileDevice } from './hostile-device.ts'
import { openSession, writeTokens } from './sessions.ts'
import type { Server } from './stack.ts'
import { accountApi } from '#contract/account/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'

export const HOSTILE_SESSIONS = 5
const POINTS = 255
const YEAR_MS = 365 * 86_400_000
const ACCOUNT = { username: 'hostile01', password: 'Hostile2026' }
const NOBODY = 'taken'

export interface HostileTenant {
  attack(attack: Attack): void
  /** Until its last write is answered. */
  end(): Promise<void>
  /** Answers how much it has written. */
  close(): Promise<number>
}

/** A tenant whose devices send, and whose sessions write, all they may. */
export async function createHostileTenant(stack: Server): Promise<HostileTenant> {
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
  /**
   * What a session calls, in turn. A refusal counts against its budget where the first batch has committed. A rate guard in
   * that batch, as of router/update_status, takes the count back: such refusals cost a trip each, and have no limit.
   */
  const write = async (token: string, n: number): Promise<void> => {
    const calls = [
      () => api(token, networkApi.ciphers, { network_number, ncp_ciphers: n % 2 === 0 ? 'sm' : 'default' }),
      () => api(token, routerApi.add, { router_type: 2, username: NOBODY, password: 'Weilai26' }),
      () => api(token, networkApi.impact, { call: 'ciphers', input: { network_number, ncp_ciphers: 'sm' } }),
      () => api(token, networkApi.reSendConfig, { network_number }),
      () => api(token, networkApi.edit, { ...plan, network_number, point: n % 2 === 0 ? points : points.slice(1) }),
      () => api(token, routerApi.note, { router_name: name(2), note: `第${n}次` }),
      () => api(token, networkApi.name, { network_number, network_name: `邻居组网${n}` }),
    ]
    written += 1
    await calls[n % calls.length]?.().catch(() => {})
  }
  let [isOver, writers] = [false, [] as Promise<void>[]]
  return {
    attack: (attack) => {
      isOver = false
      for (const [device, frames] of devices) device.start(attack, frames)
      writers = Array.from({ length: HOSTILE_SESSIONS }, async (_, i) => {
        const token = await openSession(stack, account)
        const everyMs = WRITE_BUDGET.windowMs / WRITE_BUDGET.limit
        await pause((i * everyMs) / HOSTILE_SESSIONS)
        for (let n = i; !isOver; n++) {
          const next = pause(everyMs)
          await write(token, n)
          await next
        }
      })
    },
    end: async () => {
      isOver = true
      for (const [device] of devices) device.stop()
      await Promise.all(writers)
    },
    close: async () => {
      for (const [device] of devices) device.close()
      return written
    },
  }
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))
