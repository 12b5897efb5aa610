import { asc, eq } from 'drizzle-orm'
import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import type { DirectoryHub } from '#durable/directory-hub/directory-hub.ts'
import type { DirectoryActor, DirectoryCandidate } from '#contract/ldap/hub.ts'
import { insertHub, saveConfig } from '#features/ldap/sql/config.ts'
import type { DirectoryEntry } from '#domain/ldap/directory-entry.ts'
import type { DirectoryConnection } from '#outside/ldap/directory-connection.ts'
import { newHubName } from '#security/hub-name.ts'
import { seal, ldapPasswordPlace } from '#security/sealed.ts'
import { accounts } from '#db/schema/accounts.ts'
import { routers } from '#db/schema/routers.ts'
import { type Caller, createMainAccount, unique } from './fixtures.ts'
import { db } from './test-worker.ts'

/** A directory in memory: what it holds, and what happened to it. */
export interface FakeDirectory {
  users: DirectoryEntry[]
  /** Thrown on the way, after `failAfter` users. */
  failure: Error | null
  failAfter: number
  /** Thrown where it is dialled, and where a user binds. */
  unreachable: Error | null
  bindFailure: Error | null
  opened: { readonly host: string; readonly password: string }[]
  /** Ids that were looked for. */
  readonly searched: string[]
  readonly bound: { readonly dn: string; readonly password: string }[]
  /** Passwords by distinguished name. */
  readonly passwords: Map<string, string>
}

export const createDirectory = (users: DirectoryEntry[] = []): FakeDirectory => ({
  users,
  failure: null,
  failAfter: 0,
  unreachable: null,
  bindFailure: null,
  opened: [],
  searched: [],
  bound: [],
  passwords: new Map(),
})

export const entry = (name: string, over: Partial<DirectoryEntry> = {}): DirectoryEntry => ({
  id: `id-${name}`,
  dn: `uid=${name},dc=test`,
  username: name,
  displayName: `用户${name}`,
  description: '',
  phones: [],
  isDisabled: false,
  ...over,
})
export const entries = (count: number): DirectoryEntry[] => Array.from({ length: count }, (_, i) => entry(`u${i}`))

const connectionTo = (directory: FakeDirectory): DirectoryConnection => ({
  server: { kind: 'openldap', tlsVersion: '1.3', certificate: null },
  async listUsers(_, onPage) {
    for (let from = 0; from < directory.users.length; from += 500) {
      if (directory.failure && from >= directory.failAfter) throw directory.failure
      await onPage(directory.users.slice(from, from + 500))
    }
    if (directory.failure) throw directory.failure
  },
  async findEntry(_, id) {
    directory.searched.push(id)
    return directory.users.find((user) => user.id === id) ?? null
  },
  async bindAs(dn, password) {
    directory.bound.push({ dn, password })
    if (directory.bindFailure) throw directory.bindFailure
    return directory.passwords.get(dn) === password
  },
  close() {},
})

export const CANDIDATE: DirectoryCandidate = {
  mode: 'public',
  routerId: null,
  domain: 'acme.com',
  host: 'ldap.acme.com',
  port: 636,
  baseDn: 'dc=acme,dc=com',
  security: 'ldaps',
  caKey: null,
  certificateName: '',
  username: 'cn=reader',
  password: 'Reader2026',
  userFilter: '',
  usernameAttribute: '',
  phoneAttribute: '',
}

export const directoryStub = (hub: string) => env.DIRECTORY_HUB.getByName(hub)

const HELD_MS = 3_600_000
const held = new WeakSet<DurableObjectStorage>()

/** The alarm fires by `run` alone: the platform would fire one that is due at once, before a busy machine comes to `run`. */
function holdAlarm(storage: DurableObjectStorage): void {
  if (held.has(storage)) return
  held.add(storage)
  const [get, set] = [storage.getAlarm.bind(storage), storage.setAlarm.bind(storage)]
  storage.getAlarm = async () => {
    const at = await get()
    return at === null ? null : at - HELD_MS
  }
  storage.setAlarm = (at) => set(Number(at) + HELD_MS)
}

/** The hub answers from this directory, and works when `run` says so. */
export const useDirectory = (hub: string, directory: FakeDirectory): Promise<void> =>
  runInDurableObject(directoryStub(hub), (instance: DirectoryHub, { storage }) => {
    holdAlarm(storage)
    instance.openDirectory = async ({ host }, password) => {
      directory.opened.push({ host, password })
      if (directory.unreachable) throw directory.unreachable
      return connectionTo(directory)
    }
  })

export interface TestDirectory {
  readonly main: Caller
  readonly accountId: number
  readonly hub: string
  readonly sign: string
  readonly directory: FakeDirectory
  readonly stub: ReturnType<typeof directoryStub>
  readonly actor: DirectoryActor
  /** Runs what the alarm is set for. */
  readonly run: () => Promise<boolean>
}

/** An account whose hub reads a directory in memory; with a configuration unless `isSaved` is false. */
export async function createTestDirectory(
  users: DirectoryEntry[],
  {
    syncMode = 2,
    seats = 100,
    networkId = null,
    isSaved = true,
    quota = 100,
  }: { syncMode?: 1 | 2; seats?: number; networkId?: number | null; isSaved?: boolean; quota?: number } = {},
): Promise<TestDirectory> {
  const sign = unique('s').slice(0, 12)
  const main = await createMainAccount({ services: { software_member: quota, network_member: seats } })
  await db.update(accounts).set({ sign }).where(eq(accounts.id, main.accountId))
  const { accountId } = main
  const hub = newHubName('')
  await insertHub(db, accountId, hub)
  if (isSaved) await saveTestConfig(accountId, { syncMode, networkId })
  const directory = createDirectory(users)
  await useDirectory(hub, directory)
  const stub = directoryStub(hub)
  return {
    main,
    accountId,
    hub,
    sign,
    directory,
    stub,
    actor: { kind: 'main', id: accountId, name: main.username, ip: '203.0.113.9' },
    run: () => runDurableObjectAlarm(stub),
  }
}

export async function saveTestConfig(
  accountId: number,
  {
    syncMode,
    networkId,
    revision = 1,
    over = {},
  }: { syncMode: 1 | 2; networkId: number | null; revision?: number; over?: Partial<DirectoryCandidate> },
): Promise<void> {
  const { password, ...values } = { ...CANDIDATE, ...over }
  const now = Date.now()
  const passwordSealed = await seal(env.SEAL_KEYS, ldapPasswordPlace(accountId), password)
  await saveConfig(db, {
    ...values,
    accountId,
    revision,
    passwordSealed,
    networkId,
    syncMode,
    createdAt: now,
    updatedAt: now,
  })
}

export const membersOf = ({ accountId }: TestDirectory) =>
  db
    .select({
      name: routers.name,
      note: routers.note,
      status: routers.status,
      password: routers.password,
      source: routers.source,
    })
    .from(routers)
    .where(eq(routers.accountId, accountId))
    .orderBy(asc(routers.name))
export const statusOf = async (test: TestDirectory) =>
  Object.fromEntries((await membersOf(test)).map(({ name, status }) => [name.split('@')[0], status]))
/** Begins a run and lets it work. */
export async function runNow(test: TestDirectory) {
  await test.stub.start()
  await test.run()
  return test.stub.state()
}

/** As many users, imported in a first run. */
export async function createImported(count: number): Promise<TestDirectory> {
  const test = await createTestDirectory(entries(count), { quota: 200 })
  await runNow(test)
  return test
}

/** `statusOf` members of so many users, none of them disabled. */
export const enabled = (count: number) => Object.fromEntries(entries(count).map(({ username }) => [username, 1]))
