import { eq } from 'drizzle-orm'
import { clientApi } from '#contract/client/index.ts'
import type { Input } from '#contract/kernel/endpoint.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { accounts } from '#db/schema/accounts.ts'
import { softwareLoginLogs } from '#db/schema/clients.ts'
import { routers } from '#db/schema/routers.ts'
import { hashPassword } from '#security/password.ts'
import { type Caller, PASSWORD, createMainAccount, createSoftwareRouter, unique } from './fixtures.ts'
import { nextAddress } from './identity.ts'
import { type CallOptions, call, db } from './test-worker.ts'
import { solveWork } from './work.ts'

let passwordHash: Promise<string> | undefined

export interface TestMember {
  readonly main: Caller
  readonly id: number
  /** `name@suffix`. */
  readonly name: string
  readonly local: string
  readonly sign: string
}

/** Software members of an account with a suffix and a running service; all have the same password. */
export async function createClients(n = 1, over: { readonly phone?: string } = {}): Promise<TestMember[]> {
  const sign = unique('s').slice(0, 12)
  const main = await createMainAccount({ sign, services: { network_member: 10, software_member: 10 } })
  const members: TestMember[] = []
  for (let i = 0; i < n; i++) members.push(await createClient(main, sign, over))
  return members
}

/** One of an account that has this suffix. */
export async function createClient(
  main: Caller,
  sign: string,
  over: { readonly phone?: string } = {},
): Promise<TestMember> {
  const password = await (passwordHash ??= hashPassword(PASSWORD))
  const local = unique('app')
  const { id, name } = await createSoftwareRouter(main.accountId, { name: `${local}@${sign}`, ...over })
  await db.update(routers).set({ password }).where(eq(routers.id, id))
  return { main, id, name, local, sign }
}

export const clientLogin = (
  username: string,
  over: Partial<Input<typeof clientApi.login>> = {},
  sent: CallOptions = {},
) => call(clientApi.login, { username, password: PASSWORD, ...over }, { ip: nextAddress(), ...sent })

export const readProfile = (token: string) => call(clientApi.profile, {}, { token })
export const refreshClient = (refresh_token: string) => call(clientApi.refresh, { refresh_token })

/** Records of sign-ins of an account, oldest first. */
export const loginRecords = (accountId: number) =>
  db.select().from(softwareLoginLogs).where(eq(softwareLoginLogs.accountId, accountId)).orderBy(softwareLoginLogs.id)

export const disableAccount = (accountId: number) =>
  db.update(accounts).set({ status: 0 }).where(eq(accounts.id, accountId))

/** Solves the challenge that every stranger faces before each code. */
export async function solvedChallenge() {
  const { challenge, difficulty } = (await call(verifyApi.challenge, { purpose: 'client_login' })).data
  return { challenge, nonce: solveWork(challenge, difficulty) }
}
