import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { API } from '#contract/api.ts'
import { clientApi } from '#contract/client/index.ts'
import { type ErrorKey, refuse } from '#contract/kernel/errors.ts'
import type { Outside } from '#contract/kernel/outside.ts'
import type { Endpoint } from '#contract/kernel/endpoint.ts'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { accounts } from '#db/schema/accounts.ts'
import { connectionLogs } from '#db/schema/routers.ts'
import { insertHub } from '#features/ldap/sql/config.ts'
import type { LiveHubs } from '#http/context.ts'
import { createOutside } from '#outside/adapters.ts'
import { newHubName } from '#security/hub-name.ts'
import { loginRecords } from '#tests/support/clients.ts'
import { saveTestConfig } from '#tests/support/directory.ts'
import { type Ids, NAMES, toInput } from '#tests/support/example-input.ts'
import { noAnswer } from '#tests/support/fake-hubs.ts'
import { type Caller, createFleet, createNetwork, createSession, unique } from '#tests/support/fixtures.ts'
import { nextAddress } from '#tests/support/identity.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { sellSaas } from '#tests/support/saas.ts'
import { createTestWorker, db, refusal } from '#tests/support/test-worker.ts'

const silent = new Proxy({}, { get: () => noAnswer })
const port = () => silent
const hubs = { router: port, network: port, account: port, directory: port, connect: noAnswer } as unknown as LiveHubs
/** Nothing outside answers either, so that no call leaves the machine. */
const unreachable = new Proxy(
  {},
  { get: () => async () => refuse('OUTBOUND_TIMEOUT', { host: 'example.com', seconds: 10 }) },
)
const outside = (bindings: Env) =>
  ({
    ...createOutside(bindings),
    webhook: unreachable,
    domains: unreachable,
    authVendors: { wechat: unreachable, feishu: unreachable, dingtalk: unreachable },
  }) as unknown as Outside
const worker = createTestWorker({ hubs, outside })

/** Calls whose answer is what a hub says. Others show the rows, or only notify hubs. */
const ASKING: Readonly<Partial<Record<ErrorKey, readonly string[]>>> = {
  ROUTER_UNREADABLE: [
    'network/link_history',
    'router/series',
    'router/traffic',
    'router/update_status',
    'saas/app_log',
    'saas/app_log_top',
    'saas/connect',
    'saas/info',
    'saas/orig_scr_log',
    'saas/orig_scr_log_top',
    'saas/traffic',
  ],
  NETWORK_UNREADABLE: ['network/diagnoses', 'network/diagnosis', 'network/status'],
  ALERTS_UNAVAILABLE: [
    'monitor/acknowledge',
    'monitor/alerts',
    'monitor/children',
    'monitor/deliveries',
    'monitor/resend',
    'monitor/unsent',
  ],
  DIRECTORY_UNREADABLE: [
    'ldap/confirm',
    'ldap/delete',
    'ldap/import',
    'ldap/import_all',
    'ldap/plan',
    'ldap/remove',
    'ldap/remove_all',
    'ldap/remove_disable',
    'ldap/restart_sync',
    'ldap/sync',
    'ldap/sync_status',
    'ldap/undo',
    'ldap/user',
  ],
}

let main: Caller
let ids: Ids
let sign: string

beforeAll(async () => {
  const fleet = await createFleet()
  main = fleet.main
  const { accountId } = main
  const [router] = fleet.routers
  ids = { ...NAMES, router: router!.name, network: await createNetwork(main, fleet.routers) }
  await sellSaas(router!)
  await db.insert(connectionLogs).values({
    accountId,
    routerName: router!.name,
    routerId: router!.id,
    epoch: 1,
    online: 1,
    remoteIp: '203.0.113.9',
    remotePort: 1,
    version: '1',
    at: Date.now() - 60_000,
  })
  sign = unique('s').slice(0, 12)
  await db.update(accounts).set({ sign }).where(eq(accounts.id, accountId))
  await insertHub(db, accountId, newHubName(''))
  await saveTestConfig(accountId, { syncMode: 2, networkId: null })
})

/** Reads first, and last the writes that take away what the others ask about. */
const order = ({ method, path }: Endpoint): number =>
  method === 'GET' ? 0 : /^(monitor|ldap|router.update_status)/.test(path) && !/delete/.test(path) ? 1 : 2

describe('design 4 · calls while no hub answers', () => {
  it('sockets of consoles', async () => {
    const targets = [
      ['router/traffic', { kind: 'router', router_name: ids.router }],
      ['network/live', { kind: 'network', network_number: ids.network }],
      ['account/live', { kind: 'account' }],
    ] as const
    const offenders = await findOffenders(targets)(async (path, target) => {
      const { data } = await main.call(routerApi.trafficTicket, target)
      const headers = { upgrade: 'websocket' }
      const response = await worker.request(`/api/v1/${path}?ticket=${data.ticket}`, { headers })
      expect(response.status).toBe(503)
    })
    expect(offenders).toEqual([])
  })

  it('network/info shows the rows, and its links as unknown', async () => {
    const { code, data } = await worker.call(networkApi.info, { network_number: ids.network }, main.token)
    expect(code).toBe(200)
    expect(new Set(data.link.map(({ state }) => state))).toEqual(new Set(['unknown']))
  })

  it('a sign-in by the directory is refused as one that cannot be reached, and leaves no record', async () => {
    const input = { username: `nobody@${sign}`, password: 'Wrong2026' }
    expect(await worker.call(clientApi.login, input, { ip: nextAddress() })).toMatchObject(
      refusal('DIRECTORY_UNAVAILABLE'),
    )
    expect(await loginRecords(main.accountId)).toEqual([])
  })

  it('none is a fault: what only a hub knows is 503 with the sentence of its kind', async () => {
    const { accountId, username, session } = main
    const rows = API.filter(({ access }) => access !== 'client')
      .toSorted((a, b) => order(a) - order(b))
      .map((spec) => [spec.path, spec, toInput(spec, ids)] as const)
    const away: Partial<Record<ErrorKey, string[]>> = {}
    const offenders = await findOffenders(rows)(async (path, spec, input) => {
      const { token } = await createSession({ accountId, ramId: null, username, grants: session.grants }) // some calls end it
      const { status, reason } = await worker.call(spec, input, { token, ip: nextAddress() })
      expect(status).not.toBe(500)
      if (status === 503) (away[reason!] ??= []).push(path)
    })
    expect(offenders).toEqual([])
    expect(Object.fromEntries(Object.entries(away).map(([key, paths]) => [key, paths.toSorted()]))).toEqual(ASKING)
  })
})
