import { afterEach, describe, expect, it } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import { deleteOrphanFiles } from '../../../worker/features/file/orphans.ts'
import {
  endDials,
  endSessions,
  lapseResources,
  removeExpired,
  updateServices,
  warnOfWithdrawal,
  withdrawNetworks,
} from '../../../worker/jobs/expiry.ts'
import { mailContactWarnings, warnOfContactExpiry } from '../../../worker/jobs/contact-expiry.ts'
import { nameHubs } from '../../../worker/jobs/hub-names.ts'
import { endExpiredSessions, selectDueEntries, selectEntriesAfter } from '../../../worker/jobs/queries.ts'
import { type QueryPlan, planOf } from '../../support/query-plan.ts'
import { NOW, createAccount, db, driver, createRouters, run } from '../../support/libsql.ts'

const RUN = { now: NOW, runId: 'run-1' }

/** Holds one old object. */
const BUCKET = {
  list: async () => ({ objects: [{ key: 'files/00', uploaded: new Date(0) }], truncated: false }),
  delete: async () => {},
} as unknown as R2Bucket

/** A contact whose authorization ends in 30 days, of an account with a mail address. */
async function createDueContact() {
  const { id } = await createAccount(0)
  await run(`update accounts set email = ? where id = ?`, [`u${id}@b.cn`, id])
  const ends = NOW + 30 * 86_400_000
  await run(
    `insert into contacts (account_id, uuid, name, email, verified_at, expires_at, warn_at, mail_state, mail_at, created_at)
     values (?, ?, '张三', 'c@b.cn', 0, ?, ?, 'sent', 0, 0)`,
    [id, `c${id}`, ends, NOW],
  )
}

/** Every statement that the work runs, with the steps of its query plan that read a whole table. */
async function findScans(work: (db: ReturnType<typeof openDb>) => PromiseLike<unknown>) {
  const plans: QueryPlan[] = []
  const recording = openDb(async (statements) => {
    for (const { sql, params } of statements) plans.push(planOf(sql, params))
    return driver(statements)
  })
  await work(recording)
  return plans
}

describe('the statements of the minute cron scan no table', () => {
  it.each([
    ['sweep of the hub outbox', (on: typeof db) => selectDueEntries(on, NOW, 200)],
    ['sweep at a start', (on: typeof db) => selectEntriesAfter(on, '', 200)],
    ['expired sessions', (on: typeof db) => endSessions({ db: on, now: NOW, hubOutbox: [] })],
    ['dials that are reported no more', (on: typeof db) => endDials({ db: on, now: NOW, hubOutbox: [] })],
    ['end of sessions', (on: typeof db) => endExpiredSessions(on, ['a'], NOW)],
    ['services that start or end', (on: typeof db) => updateServices(on, RUN)],
    ['long suspensions', (on: typeof db) => withdrawNetworks({ db: on, ...RUN, hubOutbox: [] })],
    ['warnings of suspensions', (on: typeof db) => warnOfWithdrawal({ db: on, now: NOW, hubOutbox: [] })],
    ['POP resources that expire', (on: typeof db) => lapseResources({ db: on, ...RUN, hubOutbox: [] })],
    ['names of hubs', (on: typeof db) => nameHubs(on)],
    [
      'ends of authorizations',
      async (on: typeof db) => {
        await createDueContact()
        await warnOfContactExpiry({ db: on, now: NOW, hubOutbox: [] })
      },
    ],
    ['mails of them', (on: typeof db) => mailContactWarnings({ db: on, mail: { send: async () => {} }, ...RUN })],
    ['deletions', (on: typeof db) => removeExpired(on, NOW)],
    ['orphan files', (on: typeof db) => deleteOrphanFiles(on, BUCKET, NOW)],
  ] as const)('%s', async (_, work) => {
    const plans = await findScans(work)
    expect(plans.length).toBeGreaterThan(0)
    expect(plans.filter(({ scans }) => scans.length > 0)).toEqual([])
  })

  it('and a statement that does is found', async () => {
    const plans = await findScans((on) => on.all(`select * from audit_logs where message = 'x'`))
    expect(plans.map(({ scans }) => scans)).toEqual([['SCAN audit_logs']])
  })
})

describe('services', () => {
  afterEach(() => run('delete from job_runs'))

  it('that end between two runs suspend networks, however long no run came', async () => {
    const { id } = await createAccount(1)
    const [name] = await createRouters(id, 1)
    await run(
      `insert into networks (account_id, number, name, secret, created_at, hub) values (?, ?, 'n', 's', 0, ?)`,
      [id, `N${id}`, `default.n${id}`],
    )
    await run(
      `insert into network_members (account_id, network_id, router_id, member_type, segment_index, host, joined_at)
       select account_id, (select id from networks where number = ?), id, 'center', 0, 2, 0 from routers where name = ?`,
      [`N${id}`, name!],
    )
    const status = async () => (await run('select status from networks where number = ?', [`N${id}`]))[0]?.['status']
    const end = NOW + 1_000 // anAccount
    await updateServices(db, { ...RUN, now: end - 10 })
    expect(await status()).toBe(1)
    await updateServices(db, { ...RUN, now: end + 30 * 86_400_000 })
    expect(await status()).toBe(0)
    const audit = () =>
      run(
        `select actor_kind, actor_name, action, target, message, before, after, ip, request_id from audit_logs
        where account_id = ? order by id`,
        [id],
      )
    const row = { actor_kind: 'system', actor_name: '系统', target: `N${id}`, ip: '', request_id: 'run-1' }
    const [normal, overQuota] = ['{"network_status":1}', '{"network_status":0}']
    const suspended = {
      ...row,
      action: 'suspend',
      message: '成员配额不足，组网“n”已停用',
      before: normal,
      after: overQuota,
    }
    expect(await audit()).toEqual([suspended])
    await updateServices(db, { ...RUN, now: end + 30 * 86_400_000 + 1_000 })
    expect(await audit()).toHaveLength(1)
    await run('update services set start_at = ?, expire_at = ? where account_id = ?', [
      end + 30 * 86_400_000 + 2_000,
      end + 90 * 86_400_000,
      id,
    ])
    await updateServices(db, { ...RUN, now: end + 30 * 86_400_000 + 3_000 })
    expect(await status()).toBe(1)
    const resumed = {
      ...row,
      action: 'resume',
      message: '成员配额恢复，组网“n”已启用',
      before: overQuota,
      after: normal,
    }
    expect(await audit()).toEqual([suspended, resumed])
    const [last] = await run(`select at from job_runs where job = 'services'`)
    expect(last?.['at']).toBe(end + 30 * 86_400_000 + 3_000)
  })
})

describe('expired rows', () => {
  it.each([
    [1_500, 0, 2],
    [25_000, 5_000, 20],
  ])('are deleted in portions: of %i one run leaves %i', async (rows, left, portions) => {
    const ids = JSON.stringify(Array.from({ length: rows }, (_, n) => `c${n}`))
    await run(
      `insert into captchas (uniqid, purpose, answer, expires_at) select value, 'login', '', 1 from json_each(?)`,
      [ids],
    )
    let trips = 0
    const counting = openDb((statements) => {
      trips += 1
      return driver(statements)
    })
    await removeExpired(counting, NOW)
    expect((await run('select count(*) as n from captchas'))[0]?.['n']).toBe(left)
    expect(trips).toBe(portions)
    await run('delete from captchas')
  })
})

describe('rows that a release without names of hubs has written', () => {
  it('get one each, at the place of their account', async () => {
    const { id } = await createAccount(1)
    const [name = '', kept = ''] = await createRouters(id, 2)
    const [before] = await run('select hub from routers where name = ?', [kept])
    await run(`update accounts set hub = 'eu.' || hub where id = ?`, [id])
    await run(`update routers set hub = '' where name = ?`, [name])
    await run(`insert into networks (account_id, number, name, secret, created_at) values (?, ?, 'n', 's', 0)`, [
      id,
      `H${id}`,
    ])
    await run(
      `insert into accounts (username, nickname, password, ram_domain, created_at) values ('old', '', '', 'old', 0)`,
    )
    await nameHubs(db)
    const hubOf = async (table: string, where: string) =>
      (await run(`select hub from ${table} where ${where}`))[0]?.['hub']
    expect(await hubOf('accounts', `username = 'old'`)).toMatch(/^default\.[0-9a-f]{32}$/)
    expect(await hubOf('routers', `name = '${name}'`)).toMatch(/^eu\.[0-9a-f]{32}$/)
    expect(await hubOf('networks', `number = 'H${id}'`)).toMatch(/^eu\.[0-9a-f]{32}$/)
    expect(await hubOf('routers', `name = '${kept}'`)).toBe(before?.['hub'])
    await run(`delete from accounts where username = 'old'`)
  })
})
