import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { openDb } from '#db/client.ts'
import { deliverOutbox, selectDueEntries, selectEntriesAfter } from '#db/hub-outbox.ts'
import { claimCheck, recordDown, recordUp } from '#db/provider-status.ts'
import { deleteOrphanFiles } from '#features/file/orphans.ts'
import { continueErasures } from '#features/ops/customer-data/erasures.ts'
import {
  endDials,
  endSessions,
  lapseResources,
  removeExpired,
  updateServices,
  warnOfWithdrawal,
  withdrawNetworks,
} from '#jobs/expiry.ts'
import { warnOfCertificates } from '#jobs/certificate-warnings.ts'
import { createTroubledDevice } from './certificate-scenario.ts'
import { warnOfProfiles } from '#jobs/profile-warnings.ts'
import { createEndingProfiles } from './profile-scenario.ts'
import { mailContactWarnings, warnOfContactExpiry } from '#jobs/contact-expiry.ts'
import { nameHubs } from '#db/hub-names.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import { NO_STATUS } from '#tests/support/fake-status.ts'
import { moveDueTickets, mailTicketReplies } from '#jobs/tickets.ts'
import { warnOfServices } from '#jobs/service-warnings.ts'
import { sampleStatus } from '#jobs/status.ts'
import { FOR_ALL, type QueryPlan, planOf } from '#tests/support/query-plan.ts'
import { NOW, createAccount, db, driver, createRouters, run } from '#tests/support/libsql.ts'
import { createReply } from './ticket-scenario.ts'
import { endExpiredSessions } from '#features/login/sql/sessions.ts'
import { saveSealedKeys, selectKeysUnderOther } from '#features/router/sql/certificates.ts'
import { saveSealedSecrets, selectUnsealed } from '#features/network/sql/secrets.ts'
import { saveHashes, selectSealedPasswords } from '#features/router/sql/software.ts'
import { logHubHold, checkDialServersOf, wakeDirectories } from '#jobs/hubs.ts'
import { findOffenders } from '#tests/support/offenders.ts'

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

/** An answered ticket that is to be warned of, or a deleted one. */
async function createDueTicket(deletedAt: number | null, dueAt: number) {
  const { id } = await createAccount(0)
  await run(
    `insert into tickets (account_id, number, person, author, type, title, content, status, created_at, updated_at, answered_at, deleted_at, due_at)
     values (?, ?, 'main:1', 'a', 1, 't', '', 3, 0, 0, 0, ?, ?)`,
    [id, `T${id}`, deletedAt, dueAt],
  )
}

/** Every statement that the work runs, with the steps of its query plan that read a whole table. */
async function findScans(work: (db: ReturnType<typeof openDb>) => PromiseLike<unknown>) {
  const plans: QueryPlan[] = []
  const recording = openDb(async (statements) => {
    plans.push(...statements.map(({ sql }) => planOf(sql)))
    return driver(statements)
  })
  await work(recording)
  return plans
}

const OUTBOX = { db, now: NOW, hubOutbox: [] }
const SEALED = { id: 1, accountId: 1, before: '', after: 'v1.k1.x' }
const HASHED = { id: 1, accountId: 1, sealed: 's', hash: 'h' }
const ENTRY = { id: 'e1', kind: 'router', hub: 'default.none', op: 'refresh' } as const
/** Statements of each job, by its name in worker/jobs/jobs.ts. */
const JOBS: Readonly<Record<string, readonly ((on: typeof db) => PromiseLike<unknown>)[]>> = {
  'hub-names': [nameHubs],
  'hub-outbox': [
    (on) => selectDueEntries(on, NOW, 200),
    (on) => selectEntriesAfter(on, '', 200),
    (on) => deliverOutbox(on, fakeHubs().hubs, [ENTRY], NOW),
  ],
  sessions: [(on) => endSessions({ ...OUTBOX, db: on }), (on) => endExpiredSessions(on, ['a'], NOW)],
  dials: [(on) => endDials({ ...OUTBOX, db: on })],
  'dial-servers': [(on) => checkDialServersOf(on, fakeHubs().hubs, 'release', NOW)],
  services: [(on) => updateServices(on, RUN)],
  suspensions: [(on) => withdrawNetworks({ ...OUTBOX, ...RUN, db: on })],
  warnings: [(on) => warnOfWithdrawal({ ...OUTBOX, db: on })],
  'service-warnings': [(on) => warnOfServices({ ...OUTBOX, db: on })],
  certificates: [
    async (on) => {
      await createTroubledDevice()
      await warnOfCertificates({ ...OUTBOX, db: on })
    },
  ],
  profiles: [
    async (on) => {
      await createEndingProfiles()
      await warnOfProfiles({ ...OUTBOX, db: on })
    },
  ],
  contacts: [
    async (on) => {
      await createDueContact()
      await warnOfContactExpiry({ ...OUTBOX, db: on })
    },
  ],
  tickets: [
    async (on) => {
      await createDueTicket(null, NOW)
      await createDueTicket(0, NOW)
      await moveDueTickets({ ...OUTBOX, ...RUN, db: on })
    },
  ],
  'contact-mails': [(on) => mailContactWarnings({ db: on, mail: { send: async () => {} }, ...RUN })],
  'ticket-mails': [
    async (on) => {
      const { id } = await createAccount(0)
      await run('update accounts set email = ? where id = ?', [`j${id}@b.cn`, id])
      await createReply(id, { dueAt: NOW })
      await mailTicketReplies({ db: on, mail: { send: async () => {} }, ...RUN })
    },
  ],
  providers: [
    (on) => claimCheck(on, 'mail', NOW),
    (on) => recordUp(on, 'mail'),
    (on) => recordDown(on, 'mail', 'w', NOW),
  ],
  status: [(on) => sampleStatus(on, NO_STATUS, NOW)],
  'pop-terms': [(on) => lapseResources({ ...OUTBOX, ...RUN, db: on })],
  directories: [(on) => wakeDirectories(on, fakeHubs().hubs, NOW)],
  files: [(on) => deleteOrphanFiles(on, BUCKET, NOW)],
  erasures: [
    async (on) => {
      const { id } = await createAccount(0)
      await createRouters(id, 1, 0)
      await run(`insert into account_erasures (account_id, started_at, started_by) values (?, 0, 'o')`, [id])
      await continueErasures({ ...RUN, db: on, hubs: fakeHubs().hubs, files: BUCKET })
    },
  ],
  expiry: [(on) => removeExpired(on, NOW)],
  'network-secrets': [(on) => selectUnsealed(on, 'v1.k1.', 200), (on) => saveSealedSecrets(on, [SEALED])],
  'hub-hold': [(on) => logHubHold(on, RUN.runId)],
  'authority-keys': [(on) => selectKeysUnderOther(on, 'v1.k1.', 200), (on) => saveSealedKeys(on, [SEALED])],
  'member-passwords': [(on) => selectSealedPasswords(on, 10), (on) => saveHashes(on, [HASHED])],
}

describe('the statements of the cron scan no table', () => {
  it('each job has statements, and no scan', async () => {
    const offenders = await findOffenders(Object.entries(JOBS))(async (_, works) => {
      for (const work of works) {
        const plans = await findScans(work)
        expect(plans.length).toBeGreaterThan(0)
        expect(plans.filter(({ sql, scans }) => scans.length > 0 && !sql.includes(FOR_ALL))).toEqual([])
      }
    })
    expect(offenders).toEqual([])
  })

  it('of every job', () => {
    const names = [...readFileSync('worker/jobs/jobs.ts', 'utf8').matchAll(/\bname: '([^']+)'/g)].map(
      ([, name]) => name,
    )
    expect(Object.keys(JOBS).toSorted()).toEqual([...new Set(names)].toSorted())
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

describe('messages', () => {
  it('are kept for 180 days, with what people have read and deleted of them', async () => {
    const { id } = await createAccount(0)
    const day = 86_400_000
    for (const [event, days] of [
      ['old', 181],
      ['kept', 179],
    ] as const) {
      await run(
        `insert into messages (account_id, event_id, type, title, content, created_at) values (?, ?, '系统', ?, '', ?)`,
        [id, event, event, NOW - days * day],
      )
      await run(
        `insert into message_marks (message_id, person, account_id, read_at)
         select id, 'main:1', account_id, 1 from messages where event_id = ?`,
        [event],
      )
    }
    await removeExpired(db, NOW)
    expect((await run('select title from messages where account_id = ?', [id])).map((row) => row['title'])).toEqual([
      'kept',
    ])
    expect(await run('select 1 from message_marks where account_id = ?', [id])).toHaveLength(1)
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
