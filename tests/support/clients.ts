import { eq } from 'drizzle-orm'
import { clientApi } from '#contract/client/index.ts'
import type { Input } from '#contract/kernel/endpoint.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { accounts } from '#db/schema/accounts.ts'
import { authorities } from '#db/schema/authorities.ts'
import { softwareLoginLogs } from '#db/schema/clients.ts'
import { routers } from '#db/schema/routers.ts'
import { hashPassword } from '#security/password.ts'
import {
  type Caller,
  PASSWORD,
  createMainAccount,
  createNetwork,
  createRouter,
  createSoftwareRouter,
  unique,
} from './fixtures.ts'
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

export const CA = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'

/** A network of a centre and a software member that is signed in; the account has an authority. */
export async function createDialled() {
  const [member] = await createClients()
  const { main } = member!
  const center = await createRouter(main.accountId, { state: { remoteHost: '203.0.113.5', probePort: 4000 } })
  const number = await createNetwork(main, [center, { ...member!, hub: '' }])
  const name = `${unique('a')}${'0'.repeat(32)}`.slice(0, 32)
  const at = { expiresAt: Date.now() + 1e9, createdAt: Date.now() }
  await db.insert(authorities).values({ accountId: main.accountId, name, certificate: CA, keySealed: 'x', ...at })
  const { access_token: token } = (await clientLogin(member!.name)).data
  const dial = (network_number = number) => call(clientApi.dial, { network_number }, { token })
  return { ...member!, center, number, token, dial }
}

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
