import type { Input } from '#contract/kernel/endpoint.ts'
import { loginApi } from '#contract/login/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { type Call, callEndpoint, consoleCalls } from '#infra/local/api.ts'
import type { Server } from './stack.ts'

/* Accounts for benches: created by the operator's calls, with sessions and calls of their consoles. */

const TERM_MS = 3 * 365 * 86_400_000

export const operatorCalls =
  ({ origin, operatorToken }: Server): Call =>
  (spec, input) =>
    callEndpoint(origin, '/ops/v1', spec, input, operatorToken)

type NewAccount = Omit<Input<typeof opsApi.createAccount>, 'nickname'> & { readonly nickname?: string }
type Quotas = Partial<Record<Input<typeof opsApi.setService>['kind'], number>>

/** Creates an account with the quotas of its services, whose term begins at `start_time`. */
export async function createAccount(
  server: Server,
  account: NewAccount,
  quotas: Quotas,
  start_time = Date.now(),
): Promise<void> {
  const ops = operatorCalls(server)
  await ops(opsApi.createAccount, { nickname: '性能测试', ...account })
  for (const [kind, quantity] of Object.entries(quotas) as [keyof Quotas, number][]) {
    const service = { account: account.username, kind, name: kind, quantity }
    await ops(opsApi.setService, { ...service, start_time, expired_time: start_time + TERM_MS })
  }
}

/** Opens another session of an account by a token link: without captcha and without limit of sign-ins. */
export async function openSession(server: Server, account: string): Promise<string> {
  const { url } = await operatorCalls(server)(opsApi.tokenLink, { account })
  const token = new URL(url).searchParams.get('token') ?? ''
  return (await callEndpoint(server.origin, '/api/v1', loginApi.authorization, { token })).access_token
}

export const openConsole = (server: Server, account: string): Call =>
  consoleCalls(server.origin, () => openSession(server, account))

export interface ClaimedDevice {
  readonly serial: string
  readonly code: string
}

/** Provisions a device and claims it with a note. */
export async function claimDevice(server: Server, call: Call, serial: string, note: string): Promise<ClaimedDevice> {
  const { activation_code: code } = await operatorCalls(server)(opsApi.provisionDevice, { serial, model: 'NL-R220' })
  await call(routerApi.add, { router_type: 1, username: serial, code, note })
  return { serial, code }
}
