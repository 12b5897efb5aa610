import { eq } from 'drizzle-orm'
import type { Input } from '#contract/kernel/endpoint.ts'
import { ramRoleApi, type RoleAuth } from '#contract/ram-role/index.ts'
import { ramApi } from '#contract/ram/index.ts'
import { ramAccounts, ramRoles } from '#db/schema/accounts.ts'
import { type Caller, createMainAccount, unique } from './fixtures.ts'
import { createTestWorker, db, hubCalls } from './test-worker.ts'

const NONE = { create: 0, edit: 0, delete: 0 } as const

/** Rights of a role: none but those given, on all networks. */
export const authOf = (over: {
  readonly router?: object
  readonly network?: object
  readonly monitor?: object
  readonly number?: readonly string[] | null
}): RoleAuth => ({
  easylink: {
    router: { ...NONE, ...over.router },
    network: { ...NONE, ...over.network, number: over.number ? [...over.number] : null },
  },
  monitor: { view: 0, ...NONE, ...over.monitor },
})

/** The Worker without the cost of hashing. */
export const quickHash = () =>
  createTestWorker({ passwords: () => ({ run: async () => ({ isRight: true, hash: 'scrypt:test' }) }) })

export async function createRole(main: Caller, auth = authOf({}), name = unique('角色')): Promise<number> {
  const { data, msg } = await main.call(ramRoleApi.create, { name, note: '', auth })
  if (data === null) throw new Error(msg)
  return data.id
}

export const ramInput = (role_id: number, over: Partial<Omit<Input<typeof ramApi.create>, 'role_id'>> = {}) => ({
  role_id,
  nickname: '运维小王',
  username: unique('u').slice(0, 18),
  password: 'Weilai26',
  ...over,
})

export const selectRams = (accountId: number) =>
  db.select().from(ramAccounts).where(eq(ramAccounts.accountId, accountId)).orderBy(ramAccounts.createdAt)

export async function selectRole(id: number) {
  const [row] = await db.select().from(ramRoles).where(eq(ramRoles.id, id))
  return row
}

/** A main account that may have so many sub-accounts. */
export const createOwner = (sub_account = 3) => createMainAccount({ services: { sub_account } })

/** A sub-account that the main account has made, with its sign-in name. */
export async function createRam(main: Caller, over: Partial<Omit<Input<typeof ramApi.create>, 'role_id'>> = {}) {
  const input = ramInput(await createRole(main), over)
  const { data } = await main.call(ramApi.create, input)
  const { data: suffix } = await main.call(ramApi.domain, {})
  return { ...input, id: data.id, login: `${input.username}@${suffix.domain}` }
}

/** Number of calls that asked the account's hub to close ended sessions. */
export const refreshesOf = ({ hub }: Caller, since: number) =>
  hubCalls.slice(since).filter((call) => call.hub === hub && call.method === 'refresh').length
