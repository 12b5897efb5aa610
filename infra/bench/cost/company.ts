import { setTimeout as sleep } from 'node:timers/promises'
import { HASH_POOL } from '#contract/kernel/limits.ts'
import { PRESENCE } from '#contract/kernel/hub-limits.ts'
import { networkApi } from '#contract/network/index.ts'
import { signIn } from '#infra/demo/load.ts'
import { type Call, consoleCalls } from '#infra/local/api.ts'
import { createAccount } from '../account.ts'
import { claimDevice } from '../live-clients.ts'
import type { Stack } from '../stack.ts'
import type { VirtualClock } from './virtual-clock.ts'
import { type MeteredRouter, startRouter } from './virtual-router.ts'

/* The account of the bench of costs, with its one network; a fleet is many such accounts. */

/** Each point has a tunnel to either centre. */
export const COMPANY = { routers: 20, centers: 2 } as const
/** Time between the connections of two routers, which spreads their own lease checks over the hour. */
const APART_MS = PRESENCE.ownCheckMs / COMPANY.routers
/**
 * Waits, in real time, for the pause between two password hashes of an account: the pool goes by the platform's clock, and a
 * timer of its own would wait for a time that stands still.
 */
export const beforeSignIn = () => sleep(1.1 * HASH_POOL.accountMs)
export const ACCOUNT = { username: 'cost01', password: 'Cost2026' }

export type Company = Awaited<ReturnType<typeof startCompany>>

/** Creates account, network and routers, and connects these; nothing of it is priced, it happens once in years. */
export async function startCompany(stack: Stack, clock: VirtualClock) {
  const { origin } = stack
  await createAccount(stack, ACCOUNT, { network_member: COMPANY.routers, center: COMPANY.centers }, clock.now())
  const openSession = async () => {
    await beforeSignIn()
    return clock.answerOf(signIn(origin, ACCOUNT.username, ACCOUNT.password))
  }
  const { codes, number } = await claimNetwork(stack, consoleCalls(origin, openSession))
  const routers: MeteredRouter[] = []
  for (const [serial, code] of codes) {
    routers.push(await startRouter(origin, clock, serial, code))
    await clock.advance(APART_MS)
  }
  requireUp(routers)
  return { origin, number, routers, openSession }
}

/** Activation codes by serial, and the number of the network. */
async function claimNetwork(stack: Stack, call: Call) {
  const codes = new Map<string, string>()
  for (let n = 1; n <= COMPANY.routers; n++) {
    const serial = `NLCOST${String(n).padStart(4, '0')}`
    codes.set(serial, await claimDevice(stack, serial, call))
  }
  const serials = [...codes.keys()]
  const [center, point] = [serials.slice(0, COMPANY.centers), serials.slice(COMPANY.centers)]
  const { network_number: number } = await call(networkApi.create, { network_name: '费用测量', center, point })
  return { codes, number }
}

export function requireUp(routers: readonly MeteredRouter[]): void {
  const down = routers.filter((router) => !router.isUp()).map(({ serial }) => serial)
  if (down.length > 0) throw new Error(`not connected: ${down.join(' ')}`)
}
