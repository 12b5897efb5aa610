import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ldapApi } from '#contract/ldap/index.ts'
import { monitorApi } from '#contract/monitor/index.ts'
import { webhookApi } from '#contract/webhook/index.ts'
import { installDirectoryTools } from '#infra/local/network-tools.ts'
import { READER, SUFFIX } from '#tests/support/directory/people.ts'
import { freePort, startDirectory } from '#tests/support/directory/start.ts'
import { type Stack, until } from '../stack.ts'
import { openPop } from './pop.ts'
import { agentProcess } from './processes.ts'
import { CENTERS, DEVICES, type Runs, SITE, type Tenant } from './tenant.ts'

/* Outages of the bench: the processes that each stops, and the number of objects that are dead then. */

export interface Trouble {
  begin(): unknown
  end(): unknown
  close?(): unknown
}

export interface Outage {
  readonly name: string
  readonly runs: Runs
  /** Objects that are dead: the most rows are two for each. */
  readonly objects: number
  readonly lastsS: number
  /** Time after its end within which all has to be well again. */
  readonly returnS: number
  /** False where the overview has nothing to name. */
  readonly isNamed: boolean
  /** It reaches all accounts, so that no other may run. */
  readonly isOfAll?: boolean
  prepare(stack: Stack, tenant: Tenant): Promise<Trouble> | Trouble
}

const [FIRST, SECOND] = CENTERS
const LASTS_S = 135
const RETURNS_S = 120
const COMMON = { objects: 1, lastsS: LASTS_S, returnS: RETURNS_S, isNamed: true } as const

/** Freezes or kills processes, and brings them back. */
const stopping =
  (how: 'freeze' | 'kill') =>
  (_: Stack, { processes }: Tenant): Trouble => ({
    begin: () => Promise.all([...processes.values()].map((one) => one[how]())),
    end: () => [...processes.values()].map((one) => (how === 'freeze' ? one.thaw() : one.start())),
  })

export const OUTAGES: readonly Outage[] = [
  { ...COMMON, name: 'one centre frozen', runs: { agents: [SECOND] }, prepare: stopping('freeze') },
  { ...COMMON, name: 'one centre killed', runs: { agents: [SECOND] }, prepare: stopping('kill') },
  { ...COMMON, name: 'both centres frozen', objects: 2, runs: { agents: CENTERS }, prepare: stopping('freeze') },
  { ...COMMON, name: 'both centres killed', objects: 2, runs: { agents: CENTERS }, prepare: stopping('kill') },
  { ...COMMON, name: 'POP node dead', runs: { agents: [] }, prepare: openPop },
  {
    ...COMMON,
    name: 'whole fleet frozen',
    objects: DEVICES.length,
    lastsS: 240, // the alert of many waits for the delay of the rule
    runs: { agents: CENTERS, simulator: DEVICES.filter((note) => !CENTERS.some((center) => center === note)) },
    prepare: stopping('freeze'),
  },
  {
    ...COMMON,
    name: 'three devices behind one address frozen',
    objects: SITE.devices.length,
    lastsS: 300,
    runs: { agents: [], simulator: SITE.devices, address: SITE.address },
    prepare: stopping('freeze'),
  },
  {
    ...COMMON,
    name: 'directory stopped',
    runs: { agents: [], left: [FIRST] },
    isNamed: false,
    prepare: openDirectory,
  },
  {
    ...COMMON,
    name: 'webhook refuses, one centre killed',
    lastsS: 180,
    runs: { agents: [SECOND] },
    prepare: refuseWebhook,
  },
  {
    ...COMMON,
    name: 'hubs restarted',
    objects: 0,
    isNamed: false,
    isOfAll: true,
    runs: { agents: [SECOND] },
    prepare: (stack) => ({ begin: () => stack.interrupt('kill workerd'), end: () => {} }),
  },
]

/** A robot that is gone: the vendor refuses each message for good. */
async function refuseWebhook(stack: Stack, tenant: Tenant): Promise<Trouble> {
  const { call } = tenant
  const url = `https://oapi.dingtalk.com/robot/send?access_token=gone-${tenant.username}`
  await call(webhookApi.setting, { type: 'dingtalk', url })
  await call(monitorApi.setting, {
    email_confirm: 0,
    webhook_confirm: 1,
    router_online: 0,
    router_offline: 1,
    service_expired: 1,
    pop_connect: 1,
    all_routers: 1,
    router: [],
  })
  const trouble = stopping('kill')(stack, tenant)
  const repair = () => call(webhookApi.setting, { type: 'dingtalk', url: url.replace('gone-', 'kept-') })
  return { ...trouble, end: () => Promise.all([trouble.end(), repair()]) }
}

const DIRECTORY_USERS = 20
const RUNS = 3
const RUN_MS = 30_000
const READY_MS = 120_000
/** A check counts against ten a minute. */
const CHECK_GAP_MS = 10_000

/** A directory behind the first centre, which is read automatically. Three reads fail while it is away. */
async function openDirectory({ origin }: Stack, { call, folder, devices }: Tenant): Promise<Trouble> {
  if (!(await installDirectoryTools())) throw new Error('OpenLDAP is not installed')
  const [port, ldapsPort] = [await freePort(), await freePort()]
  const directory = { folder: join(folder, 'directory'), users: DIRECTORY_USERS, port, ldapsPort }
  let slapd = await startDirectory(directory)
  const router = devices.get(FIRST)
  if (!router) throw new Error(`no device ${FIRST}`)
  const agent = agentProcess(origin, folder, router, ['--directory', `127.0.0.1:${ldapsPort}`])
  const close = () => Promise.all([slapd.close(), agent.stop()])
  const file = new File([readFileSync(join(directory.folder, 'ca.crt'))], 'ca.crt')
  const { ca_id } = await call(ldapApi.uploadCa, { file })
  const form = {
    mode: 'private',
    router_name: router.serial,
    domain: 'qiming.test',
    host: '127.0.0.1',
    port: ldapsPort,
    base_dn: SUFFIX,
    use_ssl: 1,
    ca_id,
    username: READER.bindDn,
    password: READER.password,
    sync_mode: 2,
  } as const
  const isReached = () =>
    call(ldapApi.check, form).then(
      () => true,
      () => sleep(CHECK_GAP_MS, false), // the agent is not connected yet
    )
  await until(isReached, READY_MS).catch((error: unknown) => Promise.resolve(close()).then(() => Promise.reject(error)))
  await call(ldapApi.save, form)
  await until(async () => (await call(ldapApi.syncStatus, {})).run?.state === 'done', READY_MS)
  return {
    begin: async () => {
      await slapd.close()
      for (let n = 0; n < RUNS; n++) {
        await call(ldapApi.restartSync, {}).catch(() => {}) // a run works already
        await sleep(RUN_MS)
      }
    },
    end: async () => {
      slapd = await startDirectory(directory)
      await call(ldapApi.restartSync, {})
    },
    close,
  }
}
