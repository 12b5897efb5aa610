import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import type { ServiceKind } from '#contract/account/services.ts'
import { PERMISSIONS, type Permission } from '#contract/kernel/permissions.ts'
import { accounts, ramAccounts, ramRoles, services, sessions, auditLogs } from '#db/schema/accounts.ts'
import { hashPassword } from '#security/password.ts'
import { randomHex } from '#security/secrets.ts'
import { signAccessToken } from '#security/tokens.ts'
import type { Session } from '#contract/kernel/session.ts'
import type { InterfaceInfo } from '#contract/kernel/protocol.ts'
import { routerStates } from '#db/schema/routers.ts'
import { insertAccount, insertDevice, insertRouter, unique } from './rows.ts'
import { db, hubCalls, type Call, call } from './test-worker.ts'
import { networkApi } from '#contract/network/index.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'

/** The password of every account made here. */
export const PASSWORD = 'Netloom26'

let passwordHash: Promise<string> | undefined

export { unique }

export interface Caller {
  readonly accountId: number
  /** Name of the account's hub. */
  readonly hub: string
  /** Sign-in name: `name@suffix` of a sub-account. */
  readonly username: string
  readonly token: string
  readonly session: Session
  /** `call` with this caller's token. */
  readonly call: Call
}

export interface MainOver extends Partial<typeof accounts.$inferInsert> {
  /** Quantities of services that run now. */
  readonly services?: Partial<Record<ServiceKind, number>>
}

/** A main account that is signed in. */
export async function createMainAccount({ services: bought = {}, ...over }: MainOver = {}): Promise<Caller> {
  const password = await (passwordHash ??= hashPassword(PASSWORD))
  const { id: accountId, username, hub } = await insertAccount({ password, ...over })
  for (const [kind, quantity] of Object.entries(bought)) await createService(accountId, kind as ServiceKind, quantity)
  const grants = { kind: 'main', flags: PERMISSIONS, networks: null } as const
  return { ...(await createSession({ accountId, ramId: null, username, grants, hub })), hub }
}

/** A service that runs now, for a day to either side unless overridden. */
export async function createService(
  accountId: number,
  kind: ServiceKind,
  quantity: number,
  over: Partial<typeof services.$inferInsert> = {},
): Promise<void> {
  const day = 86_400_000
  const [startAt, expireAt] = [Date.now() - day, Date.now() + day]
  await db.insert(services).values({ accountId, kind, name: `标准服务 ${kind}`, quantity, startAt, expireAt, ...over })
}

export interface SubOver {
  readonly flags?: readonly Permission[]
  /** Network numbers the role is limited to; null for all. */
  readonly networks?: readonly string[] | null
  readonly username?: string
}

/** A sub-account of that main account, signed in; it holds no permission unless overridden. */
export async function createSubAccount(
  main: Pick<Caller, 'accountId' | 'hub'>,
  over: SubOver = {},
): Promise<Caller & { ramId: number }> {
  const { flags = [], networks = null, username = unique('ram') } = over
  const { accountId } = main
  const now = Date.now()
  const [role] = await db
    .insert(ramRoles)
    .values({
      accountId,
      name: unique('role'),
      flags: JSON.stringify(flags),
      networks: networks && JSON.stringify(networks),
      createdAt: now,
      updatedAt: now,
    })
    .returning({ id: ramRoles.id })
  const password = await (passwordHash ??= hashPassword(PASSWORD))
  const [ram] = await db
    .insert(ramAccounts)
    .values({ accountId, roleId: role!.id, username, nickname: '测试子账号', password, createdAt: now })
    .returning({ id: ramAccounts.id })
  const [owner] = await db.select({ domain: accounts.ramDomain }).from(accounts).where(eq(accounts.id, accountId))
  const loginName = `${username}@${owner!.domain}`
  const caller = await createSession({
    accountId,
    ramId: ram!.id,
    username: loginName,
    grants: { kind: 'ram', flags, networks },
    hub: main.hub,
  })
  return { ...caller, hub: main.hub, ramId: ram!.id }
}

/** A second session of the same user. */
export async function createSession(who: Omit<Session, 'id' | 'version'>): Promise<Omit<Caller, 'hub'>> {
  const now = Date.now()
  const session: Session = { ...who, id: randomHex(12), version: 1 }
  await db.insert(sessions).values({
    id: session.id,
    accountId: who.accountId,
    ramId: who.ramId,
    refreshHash: randomHex(32),
    rotatedAt: now,
    ip: '127.0.0.1',
    userAgent: 'test',
    createdAt: now,
    expiresAt: now + 86_400_000,
  })
  const token = await signAccessToken(env.JWT_KEYS, session, now)
  return {
    accountId: who.accountId,
    username: who.username,
    token,
    session,
    call: (spec, input, sent = {}) =>
      call(spec, input, { token, ...(typeof sent === 'string' ? { token: sent } : sent) }),
  }
}

interface RouterOver {
  readonly name?: string
  readonly note?: string
  readonly phone?: string
  /** Segments behind the device, `ip/mask`. */
  readonly lans?: readonly string[]
  /** Further columns of its state; a router without any was never seen. */
  readonly state?: Partial<Omit<typeof routerStates.$inferInsert, 'routerId'>>
}

export interface TestRouter {
  readonly id: number
  readonly name: string
  readonly hub: string
}

/** A claimed device. */
export async function createRouter(accountId: number, over: RouterOver = {}): Promise<TestRouter> {
  const { id: deviceId, serial } = await insertDevice(over.name === undefined ? {} : { serial: over.name })
  return createMember({ accountId, name: serial, deviceId }, over)
}

export const createSoftwareRouter = (accountId: number, over: RouterOver = {}): Promise<TestRouter> =>
  createMember({ accountId, name: over.name ?? `${unique('app')}@test01`, routerType: 2, password: 'scrypt' }, over)

/** One after another, so that the ids of the rows ascend like the list. */
export async function createMany<T>(n: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (let i = 0; i < n; i += 1) made.push(await make())
  return made
}

async function createMember(row: Parameters<typeof insertRouter>[0], over: RouterOver): Promise<TestRouter> {
  const { note = '', phone = null, lans, state } = over
  const router = await insertRouter({ ...row, note, phone })
  if (lans || state)
    await db
      .insert(routerStates)
      .values({ routerId: router.id, interfaces: JSON.stringify((lans ?? []).map(lanPort)), ...state })
  return router
}

/** A LAN interface as a device reports it. */
export function lanPort(segment: string, n: number): InterfaceInfo {
  const [ip = '', mask = ''] = segment.split('/')
  return {
    interface: `lan${n}`,
    interface_uuid: `lan${n}`,
    protocol: 'static',
    role: 'lan',
    ip,
    mask: Number(mask),
    mac: '',
    mtu: 1500,
    up: true,
  }
}

/** An account with a quota of ten members, and routers that are in no network. */
export async function createFleet(
  over: { memberQuota?: number; centers?: number; hardware?: number; software?: number } = {},
) {
  const { memberQuota = 10, centers = 0, hardware = 4, software = 1 } = over
  const main = await createMainAccount({ services: { network_member: memberQuota, center: centers } })
  const routers = await createMany(hardware, () => createRouter(main.accountId))
  const apps = await createMany(software, () => createSoftwareRouter(main.accountId))
  return { main, routers, apps }
}

/** A network of these routers, the first its centre. */
export async function createNetwork(by: Caller, members: readonly TestRouter[], name = '测试网'): Promise<string> {
  const [center, ...points] = members.map((router) => router.name)
  const reply = await by.call(networkApi.create, { network_name: name, center: [center!], point: points })
  if (reply.code !== 200) throw new Error(reply.msg)
  return reply.data.network_number
}

export async function networkRow(number: string) {
  const [row] = await db.select().from(networks).where(eq(networks.number, number))
  return row!
}

/** Rows of a network's members, in the order they joined. */
export async function memberRows(number: string) {
  return db
    .select()
    .from(networkMembers)
    .where(eq(networkMembers.networkId, (await networkRow(number)).id))
    .orderBy(networkMembers.id)
}

export const selectAudits = (accountId: number) =>
  db.select().from(auditLogs).where(eq(auditLogs.accountId, accountId)).orderBy(auditLogs.id)

/** Hubs of the routers that have been asked to refresh since then. */
export const refreshed = (since: number) =>
  hubCalls
    .slice(since)
    .filter((call) => call.kind === 'router' && call.method === 'refresh')
    .map((call) => call.hub)
    .toSorted()

export const toHubs = (...routers: readonly (TestRouter | undefined)[]) =>
  routers.map((router) => router!.hub).toSorted()
