import { env, runInDurableObject } from 'cloudflare:test'
import { asc, eq } from 'drizzle-orm'
import { expect, onTestFinished } from 'vitest'
import { createHubs } from '#durable/hubs.ts'
import { createConnect } from '#durable/directory-hub/connection/connect.ts'
import type { DirectoryHub } from '#durable/directory-hub/directory-hub.ts'
import { clientApi } from '#contract/client/index.ts'
import { LDAP_SYNC, DIRECTORY } from '#contract/ldap/limits.ts'
import type { Input } from '#contract/kernel/endpoint.ts'
import { TUNNEL } from '#contract/kernel/tunnel-frames.ts'
import { insertDomain } from '#features/ldap/sql/config.ts'
import { ldapMembers } from '#db/schema/ldap.ts'
import { routers } from '#db/schema/routers.ts'
import { connectOnlineDevice, createHubRouter, until } from '#tests/durable/support.ts'
import { type TestDirectory, createTestDirectory } from '../directory.ts'
import { nextAddress } from '../identity.ts'
import { unique } from '../rows.ts'
import { createTestWorker, db } from '../test-worker.ts'
import { carryTunnels } from '../tunnel-device.ts'
import { type CompanyServer, type DirectoryDriver, type Employee, toEmployee } from './driver.ts'
import { joinRecords } from './ldif.ts'
import { type HeldPage, holdFirstPage } from './held-page.ts'
import { SERVER_NAME } from './pki.ts'
import { ldapApi } from '#contract/ldap/index.ts'

export const MODES = ['public', 'private'] as const
export type Mode = (typeof MODES)[number]
export type Form = Input<typeof ldapApi.check>

/** Users of a page, so that a few dozen are several. */
export const PAGE = 10
const DOMAIN = 'acme.com'
const HOST = `ldap.${DOMAIN}`

/** The Worker with the hubs that really run. No password is one of its own: those of the directory are what is asked for. */
const worker = createTestWorker({
  hubs: (requestId) => createHubs(env, requestId),
  passwords: () => ({ run: async () => ({ isRight: false, hash: null }) }),
})

/** A company in a real directory, and its account, whose hub reads it over LDAPS in public, StartTLS in private mode. */
export async function createRealCompany(server: CompanyServer, driver: DirectoryDriver, mode: Mode, size: number) {
  const test = await createTestDirectory([], { isSaved: false })
  await insertDomain(db, test.accountId, DOMAIN, Date.now())
  const call: typeof worker.call = (spec, input, sent) =>
    worker.call(spec, input, { token: test.main.token, ...(sent as object) })
  const line = mode === 'public' ? await publicLine(server) : await privateLine(test, server)
  const held: HeldPage = await readFrom(test, line)
  const uploadCa = async (pem: string) => (await call(ldapApi.uploadCa, { file: new File([pem], 'ca.crt') })).data.ca_id
  const name = unique('c')
  const staff = Array.from({ length: size }, (_, index) => toEmployee(name, index))
  await changeServer(server, driver.addCompany(name), ...staff.map((employee) => driver.addEmployee(employee)))
  const form: Form = {
    mode,
    domain: DOMAIN,
    ...line.form,
    ...driver.scope(name),
    ...driver.account,
    ca_id: await uploadCa(server.ca),
    certificate_name: SERVER_NAME,
    sync_mode: LDAP_SYNC.automatic,
  }
  /** The run that was begun, once it has ended. */
  const ended = async () => {
    await test.run()
    return until(async () => {
      const { data } = await call(ldapApi.syncStatus, {})
      return ['done', 'failed', 'asking'].includes(data.run?.state ?? '') ? data : undefined
    })
  }
  const save = async () => {
    expect(await call(ldapApi.check, form)).toMatchObject({ code: 200, data: { server: driver.kind, tls: '1.3' } })
    expect(await call(ldapApi.save, form)).toMatchObject({ code: 200 })
  }
  return {
    ...test,
    call,
    form,
    staff,
    held,
    uploadCa,
    save,
    /** The first run: it imports. */
    connect: async () => {
      await save()
      return ended()
    },
    sync: async () => {
      await call(ldapApi.restartSync, {})
      return ended()
    },
    /** The line to the directory breaks after the first page of what is read. */
    cutAfterPage: async <T>(work: () => Promise<T>): Promise<T> => {
      const { reached, release } = held.hold()
      const working = work()
      await reached()
      await line.cut()
      release()
      return working
    },
    ended,
    change: (...records: readonly string[]) => changeServer(server, ...records),
    /** Imported members by the id that their entry has. */
    members: async () => {
      const rows = await db
        .select({ id: ldapMembers.directoryId, name: routers.name, note: routers.note, status: routers.status })
        .from(ldapMembers)
        .innerJoin(routers, eq(routers.id, ldapMembers.routerId))
        .where(eq(ldapMembers.accountId, test.accountId))
        .orderBy(asc(ldapMembers.directoryId))
      return rows.map((row) => ({ ...row, name: row.name.replace(`@${test.sign}`, '') }))
    },
    /** Users of the page, as the console lists them. */
    users: async (search: string) => (await call(ldapApi.user, { search })).data,
    login: (employee: Employee, password = employee.password) =>
      worker.call(clientApi.login, { username: `${employee.username}@${test.sign}`, password }, { ip: nextAddress() }),
    refresh: (refresh_token: string) => worker.call(clientApi.refresh, { refresh_token }),
  }
}
export type RealCompany = Awaited<ReturnType<typeof createRealCompany>>

/** The hub's own way to a directory, with small pages. */
const readFrom = ({ stub }: TestDirectory, { localDirectories: LOCAL_DIRECTORIES }: Line) =>
  runInDurableObject(stub, (hub: DirectoryHub) => {
    const local: Env = { ...env, ENVIRONMENT: 'local', LOCAL_DIRECTORIES }
    const limits = { ...DIRECTORY, pageSize: PAGE }
    const held = holdFirstPage(createConnect(local, hub['tunnels'].dialThrough, limits))
    hub.openDirectory = held.connect
    return held
  })

interface Line {
  readonly form: Pick<Form, 'host' | 'port' | 'use_ssl' | 'use_tls' | 'router_name'>
  /** Of public mode: `LOCAL_DIRECTORIES`. */
  readonly localDirectories: string
  cut(): Promise<unknown>
}

/** LDAPS goes through a relay of this company alone. */
async function publicLine({ port, controlUrl }: CompanyServer): Promise<Line> {
  const relayPort = await post(`${controlUrl}/relay`)
  return {
    form: { host: HOST, port: 636, use_ssl: 1 },
    localDirectories: `${HOST}:636=127.0.0.1:${relayPort},${HOST}:389=127.0.0.1:${port}`,
    cut: () => post(`${controlUrl}/cut/${relayPort}`),
  }
}

async function privateLine({ accountId, main, hub }: TestDirectory, { port }: CompanyServer): Promise<Line> {
  const router = await createHubRouter({ accountId, accountHub: main.hub })
  const device = await connectOnlineDevice(router, { capabilities: [TUNNEL.capability] })
  const carrier = carryTunnels(device, { hub, deviceId: router.deviceId }, port)
  onTestFinished(() => carrier.stop())
  return {
    form: { router_name: router.name, host: '10.0.0.5', port: 389, use_tls: 1 },
    localDirectories: '',
    cut: async () => carrier.carried.at(-1)?.cut(),
  }
}

/** Sends LDIF with changetype as the administrator of the server. */
export const changeServer = ({ controlUrl }: CompanyServer, ...records: readonly string[]): Promise<string> =>
  post(`${controlUrl}/`, joinRecords(...records))

async function post(url: string, body = ''): Promise<string> {
  const response = await fetch(url, { method: 'POST', body })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
