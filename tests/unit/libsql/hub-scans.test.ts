import { expect, it } from 'vitest'
import { readAccount, readMovedClients, readPresentRouters, saveNotified } from '#durable/account-hub/database.ts'
import { readAlertFacts, readAlertRows } from '#durable/account-hub/alerts/alert-rows.ts'
import { addMembers } from '#durable/directory-hub/members/member-additions.ts'
import { changeMembers, setStatuses, deleteMembers, restore } from '#durable/directory-hub/members/member-changes.ts'
import { readImportedCount, readMembers, readOwner } from '#durable/directory-hub/database.ts'
import { type KeptRow, selectRestored } from '#features/ldap/sql/members.ts'
import { guardConfig, selectOverdue, selectPortions, selectUndoable, updateDueOf } from '#features/ldap/sql/config.ts'
import { readNetwork, readRevision } from '#durable/network-hub/database.ts'
import { endUnreportedDials, readRouter } from '#durable/router-hub/database.ts'
import { toRouterSave } from '#durable/router-hub/router-save.ts'
import { emptyOutbox } from '#durable/router-hub/state/outbox.ts'
import { blankRouter, unknownRouter, type RouterState } from '#durable/router-hub/state/storage.ts'
import { batch } from '#db/batch.ts'
import { openPrimary } from '#db/client.ts'
import type { WriteContext } from '#durable/directory-hub/members/member-work.ts'
import { selectDirectoryOf } from '#features/client/sql/members.ts'
import { pinKey, selectDevice } from '#features/device/sql.ts'
import { saveDials } from '#features/router/sql/dials.ts'
import { saveRouters } from '#features/router/sql/saves.ts'
import { type QueryPlan, planOf } from '#tests/support/query-plan.ts'
import { findOffenders } from '#tests/support/offenders.ts'

// A hub writes and reads rows of its own: what it costs must not grow with the routers of other accounts.

const HUB = `default.${'0'.repeat(32)}`
const OTHER_HUB = `default.${'1'.repeat(32)}`
const NOW = 1_800_000_000_000
const ENROLMENT = { serial: 'NL1', hash: 'h', key: '{}' }

/** Runs the work on a database that plans each statement, and answers no rows. */
async function findScans(work: (env: Env) => Promise<unknown>): Promise<readonly QueryPlan[]> {
  const plans: QueryPlan[] = []
  const DB = {
    prepare: (sql: string) => ({ bind: (...params: unknown[]) => ({ sql, params }) }),
    batch: async (statements: readonly { readonly sql: string; readonly params: readonly unknown[] }[]) => {
      plans.push(...statements.map(({ sql }) => planOf(sql)))
      return statements.map(() => ({ results: [] }))
    },
  }
  await work({ DB, ENVIRONMENT: 'local' } as unknown as Env)
  expect(plans.length).toBeGreaterThan(0)
  return plans.filter(({ scans }) => scans.length > 0)
}

/** Save of a router with this outbox, as one of two in a batch. */
const save = (outbox: Partial<RouterState['outbox']>) => (env: Env) => {
  const router = { ...unknownRouter, accountId: 1, routerName: 'NL1' }
  const state = { ...blankRouter, router, outbox: { ...emptyOutbox, ...outbox } }
  const saves = [HUB, OTHER_HUB].map((hub) => toRouterSave(hub, state, NOW))
  return saveRouters(openPrimary(env), saves, NOW)
}
const WATCHER = { person: 'ram:1', grants: { kind: 'ram', flags: [], networks: ['N1'] } } as const
const line = { epoch: 1, online: 1, remoteHost: '', remotePort: 0, version: '', reason: '', at: NOW } as const
const result = { id: 'j1', state: 'done', reason: '', at: NOW } as const
const period = { id: 'N1:NL1>NL2', startAt: NOW, endAt: null, reason: '', orig: '', vpnIp: '' } as const
const dial = {
  key: 'd1',
  number: 'N1',
  name: 'li.na@qiming',
  mode: 'p2p',
  remote: '203.0.113.9',
  vpnIp: '10.0.0.2',
  startAt: NOW,
  endAt: null,
  rx: 0,
  tx: 0,
  reason: '',
} as const

const writer = (env: Env): WriteContext => ({
  db: openPrimary(env),
  now: NOW,
  session: null,
  ip: '',
  requestId: '',
  hubOutbox: [],
  accountId: 1,
  accountHub: HUB,
  sign: 'qiming',
  by: null,
})
const FIELDS = { name: 'li.na', note: '李娜', phone: '' }
const ADDITION = { uuid: 'u1', ...FIELDS }
const MEMBER = { id: 1, uid: HUB, uuid: 'u1', name: 'li.na' }
const CHANGE = { id: 1, uid: HUB, uuid: 'u1', before: FIELDS, after: { ...FIELDS, name: 'li' }, note: '李娜' }
const NO_MORE = () => ({})
const KEPT: KeptRow = ['li.na@qiming', '', '86', null, 1, HUB, NOW, 'u1', '', 0, '[[1,2,3]]', HUB, '[1,"","","",null]']

it('the statements of hubs and devices scan no table', async () => {
  const offenders = await findOffenders([
    ['read of a router', (env: Env) => readRouter(env, HUB)],
    ['save of routers', save({})],
    ['save of lines of the connection log', save({ logs: [line] })],
    ['save of another endpoint', save({ endpointMoved: true })],
    ['save of other LANs', save({ lansMoved: true })],
    ['save of another carrier', save({ vpnMoved: true })],
    ['save of results', save({ results: [result] })],
    ['save of links', save({ periods: [period] })],
    ['save of dials', (env: Env) => saveDials(openPrimary(env), HUB, [dial], 1, NOW)],
    ['end of dials that are reported no more', (env: Env) => endUnreportedDials(env, HUB, NOW, NOW)],
    ['read of a network', (env: Env) => readNetwork(env, HUB)],
    ['revision of a network', (env: Env) => readRevision(env, HUB)],
    [
      'read of an account',
      (env: Env) =>
        readAccount(env, HUB, {
          watchers: [WATCHER],
          watching: ['s1'],
          endedSince: 0,
          routerHubs: [HUB],
          ticketsSince: 0,
        }),
    ],
    ['rows of alerts', (env: Env) => readAlertRows(env, HUB, { endsAfter: 0, ended: [1], now: NOW })],
    ['facts of alerts', (env: Env) => readAlertFacts(env, HUB, { names: ['NL1'], numbers: ['N1'] })],
    ['routers that are present', (env: Env) => readPresentRouters(env, HUB, 0, 100)],
    ['software members that have moved', (env: Env) => readMovedClients(env, HUB, 0, 100)],
    ['mark of those that were notified', async (env: Env) => saveNotified(env, [])],
    ['owner of a directory', (env: Env) => readOwner(env, HUB, NOW)],
    ['members of a directory', (env: Env) => readMembers(env, 1)],
    ['number of imported members', (env: Env) => readImportedCount(env, 1)],
    ['import', (env: Env) => addMembers(writer(env), [ADDITION], { networkNumber: null, max: 10 }, NO_MORE)],
    [
      'import into a network',
      (env: Env) => addMembers(writer(env), [ADDITION], { networkNumber: 'N1', max: 10 }, NO_MORE),
    ],
    ['change of imported members', (env: Env) => changeMembers(writer(env), [CHANGE], {})],
    ['disabling of imported members', (env: Env) => setStatuses(writer(env), [MEMBER], 0, NO_MORE)],
    ['enabling of imported members', (env: Env) => setStatuses(writer(env), [MEMBER], 1, NO_MORE)],
    ['removal of imported members', (env: Env) => deleteMembers(writer(env), [MEMBER], NO_MORE)],
    ['return of removed members', (env: Env) => restore(writer(env), [KEPT], { max: 10 }, {})],
    ['members that have returned', async (env: Env) => selectRestored(openPrimary(env), 1, [KEPT])],
    [
      'the row of a run and the directory behind it',
      (env: Env) =>
        batch(openPrimary(env), {
          portions: selectPortions(openPrimary(env), 1, 'r'),
          undoable: selectUndoable(openPrimary(env), 1, 'r'),
          config: guardConfig(openPrimary(env), 1, 1),
          due: updateDueOf(openPrimary(env), 1, NOW, 1),
        }),
    ],
    [
      'the directory behind a suffix',
      async (env: Env) => selectDirectoryOf(openPrimary(env), { name: 'a', domain: 'b' }, NOW),
    ],
    ['directories that are overdue', (env: Env) => selectOverdue(openPrimary(env), NOW, 100)],
    ['a device', (env: Env) => selectDevice(openPrimary(env), 'NL1')],
    ['enrolment of a device', (env: Env) => pinKey(openPrimary(env), ENROLMENT, '203.0.113.9', NOW)],
  ])(async (_, work) => {
    expect(await findScans(work)).toEqual([])
  })
  expect(offenders).toEqual([])
})
