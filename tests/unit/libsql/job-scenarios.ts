import { vi } from 'vitest'
import type { OutgoingMail } from '#contract/kernel/outside.ts'
import { PROVIDER } from '#contract/kernel/limits.ts'
import type { Db } from '#db/client.ts'
import { deleteOrphanFiles } from '#features/file/orphans.ts'
import { continueErasures } from '#features/ops/customer-data/erasures.ts'
import { mailContactWarnings, warnOfContactExpiry } from '#jobs/contact-expiry.ts'
import {
  endDials,
  endSessions,
  lapseResources,
  updateServices,
  warnOfWithdrawal,
  withdrawNetworks,
} from '#jobs/expiry.ts'
import { nameHubs } from '#db/hub-names.ts'
import { checkDialServersOf, sweepEntries, wakeDirectories, logHubHold } from '#jobs/hubs.ts'
import { hashMemberPasswords } from '#jobs/member-passwords.ts'
import { openKey, sealKey } from '#security/authority/sealed-key.ts'
import { sealAuthorityKeys, sealNetworkSecrets } from '#jobs/sealed-secrets.ts'
import { checkProviders } from '#jobs/providers.ts'
import { warnOfCertificates } from '#jobs/certificate-warnings.ts'
import { createTroubledDevice } from './certificate-scenario.ts'
import { warnOfProfiles } from '#jobs/profile-warnings.ts'
import { createEndingProfiles } from './profile-scenario.ts'
import { warnOfServices } from '#jobs/service-warnings.ts'
import { sampleStatus } from '#jobs/status.ts'
import { CRON_JOB } from '#features/ops/sql/status.ts'
import { mailTicketReplies } from '#jobs/tickets.ts'
import { openNetworkSecret } from '#security/network-secret.ts'
import { memberPasswordPlace, seal } from '#security/sealed.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import { NO_STATUS } from '#tests/support/fake-status.ts'
import { NOW, createAccount, createRouters, run } from '#tests/support/libsql.ts'
import { createExpired } from './expiry-scenario.ts'
import { texts } from './row-texts.ts'
import { createReply, createTickets } from './ticket-scenario.ts'

const DAY = 86_400_000
const SEAL_KEYS = `test:${'5'.repeat(64)}`

/** One piece of work that a job finds, in an account of its own. */
export interface Scenario<R = unknown> {
  readonly run: (db: Db, now: number) => Promise<unknown>
  /** State after the job: the same after one run, after two, or after an interrupted run and another. */
  readonly result: () => Promise<R>
  /** The minute in which a job that was cut off takes its work up again, if not the next. */
  readonly againMs?: number
}

const messagesOf = (id: number) => texts('select title from messages where account_id = ? order by event_id', [id])
const auditOf = (id: number) => texts('select action from audit_logs where account_id = ? order by id', [id])
const context = (db: Db, now: number) => ({ db, now, runId: 'r', hubOutbox: [] })

async function insertNetwork(id: number, columns: Readonly<Record<string, number>> = {}) {
  const row = {
    account_id: id,
    number: `J${id}`,
    name: '组网',
    secret: 's',
    created_at: 0,
    hub: `default.j${id}`,
    ...columns,
  }
  const names = Object.keys(row)
  await run(`insert into networks (${names.join()}) values (${names.map(() => '?').join()})`, Object.values(row))
}

async function insertContact(id: number) {
  await run('update accounts set email = ? where id = ?', [`job${id}@b.cn`, id])
  await run(
    `insert into contacts (account_id, uuid, name, email, verified_at, expires_at, warn_at, mail_state, mail_at, created_at)
     values (?, ?, '张三', 'c@b.cn', 0, ?, ?, 'sent', 0, 0)`,
    [id, `job${id}`, NOW + 7 * DAY, NOW],
  )
}

/** A bucket that holds one object without a row and one of a row that nothing was attached to. */
async function createBucket(id: number) {
  const [orphan, unattached] = [`00${id}`.padEnd(32, 'a'), `00${id}`.padEnd(32, 'b')]
  await run(
    `insert into files (account_id, key, purpose, name, type, bytes, sha256, created_by, created_at)
     values (?, ?, 'ticket_image', 'a', 'png', 1, '', '', 0)`,
    [id, unattached],
  )
  const objects = new Set([orphan, unattached].map((key) => `files/${key}`))
  const bucket = {
    list: async ({ prefix = '' }: R2ListOptions) => ({
      objects: [...objects].filter((key) => key.startsWith(prefix)).map((key) => ({ key, uploaded: new Date(0) })),
      truncated: false,
    }),
    delete: async (keys: string[]) => keys.forEach((key) => objects.delete(key)),
  } as unknown as R2Bucket
  return { bucket, objects }
}
/** The minute whose run looks at keys that begin with 00. */
const PART_00 = Math.ceil(NOW / 60_000 / 256) * 256 * 60_000

/** By the name of the job in worker/jobs/jobs.ts. */
export const SCENARIOS: Readonly<Record<string, () => Promise<Scenario>>> = {
  'hub-names': async () => {
    const { id } = await createAccount(0)
    await run(`update accounts set hub = 'default.named' || id where hub = ''`) // names are unique
    await run(`update accounts set hub = '' where id = ?`, [id])
    return { run: nameHubs, result: () => texts('select length(hub) from accounts where id = ?', [id]) }
  },
  'hub-outbox': async () => {
    const { id } = await createAccount(0)
    const { hubs, calls } = fakeHubs()
    const hub = `default.outbox${id}`
    await run(`insert into hub_outbox (id, kind, hub, op, due_at) values (?, 'account', ?, 'refresh', 0)`, [
      `o${id}`,
      hub,
    ])
    return {
      run: (db) => sweepEntries(db, hubs),
      result: async () => [
        await texts('select id from hub_outbox where hub = ?', [hub]),
        calls.some((call) => call.hub === hub && call.method === 'refresh'), // a refresh may be repeated
      ],
    }
  },
  'hub-hold': async () => {
    await run(
      `insert into hub_holds (id, since, changed_at, changed_by) values (1, 1, 1, '') on conflict (id) do nothing`,
    )
    let isLogged = false
    return {
      async run(db) {
        const lines = vi.spyOn(console, 'error').mockImplementation(() => {})
        await logHubHold(db, 'run').finally(() => {
          isLogged ||= lines.mock.calls.length > 0
          lines.mockRestore()
        })
      },
      result: async () => [isLogged],
    }
  },
  sessions: async () => {
    const { id } = await createAccount(0)
    await run(
      `insert into sessions (id, account_id, refresh_hash, rotated_at, ip, user_agent, created_at, expires_at)
       values (?, ?, '', 0, '', '', 0, ?)`,
      [`job${id}`, id, NOW],
    )
    return {
      run: (db, now) => endSessions(context(db, now)),
      result: () => texts('select ended_at is not null from sessions where account_id = ?', [id]),
    }
  },
  dials: async () => {
    const { id } = await createAccount(0)
    const [name = ''] = await createRouters(id, 0, 1)
    await run(
      `insert into dial_logs (account_id, key, mode, network_number, router_name, link_router_name, start_at, seen_at, router_id)
       select account_id, 'k', 'p2p', 'N', name, 'NL', 1, 2, id from routers where name = ?`,
      [name],
    )
    return {
      run: (db, now) => endDials(context(db, now)),
      result: () => texts('select end_at, reason from dial_logs where account_id = ?', [id]),
    }
  },
  'dial-servers': async () => {
    const { id } = await createAccount(0)
    const [name = ''] = await createRouters(id, 1)
    await run(
      `insert into dial_logs (account_id, key, mode, network_number, router_name, link_router_name, start_at, seen_at, link_id)
       select account_id, 'k', 'p2p', 'N', 'soft', name, 1, 2, id from routers where name = ?`,
      [name],
    )
    const [server] = await texts('select hub from routers where name = ?', [name])
    const { hubs, calls } = fakeHubs()
    return {
      run: (db, now) => checkDialServersOf(db, hubs, `release ${id}`, now),
      // a check may be repeated
      result: async () => calls.some((call) => call.hub === server && call.method === 'checkLease'),
    }
  },
  services: async () => {
    await run('delete from job_runs') // a run of a later time would have passed this end
    const { id } = await createAccount(0)
    await createRouters(id, 1)
    await insertNetwork(id)
    await run(
      `insert into network_members (account_id, network_id, router_id, member_type, segment_index, host, joined_at)
       select n.account_id, n.id, r.id, 'center', 0, 2, 0 from networks n join routers r on r.account_id = n.account_id
       where n.account_id = ?`,
      [id],
    )
    await run('update services set quantity = 1, expire_at = ? where account_id = ?', [NOW - 1, id])
    return {
      run: (db, now) => updateServices(db, { now, runId: 'r' }),
      result: async () => [await texts('select status from networks where account_id = ?', [id]), await auditOf(id)],
    }
  },
  suspensions: async () => {
    const { id } = await createAccount(0)
    await insertNetwork(id, { status: 0, suspended_at: NOW - 15 * DAY })
    return {
      run: (db, now) => withdrawNetworks(context(db, now)),
      result: async () => [
        await texts('select withdrawn, revision from networks where account_id = ?', [id]),
        await auditOf(id),
        await texts('select op from hub_outbox where hub = ?', [`default.j${id}`]),
      ],
    }
  },
  warnings: async () => {
    const { id } = await createAccount(0)
    await insertNetwork(id, { status: 0, suspended_at: NOW - 14 * DAY })
    return { run: (db, now) => warnOfWithdrawal(context(db, now)), result: () => messagesOf(id) }
  },
  'service-warnings': async () => {
    const { id } = await createAccount(0)
    await run(`update services set name = 'a', start_at = 0, expire_at = ?, warn_at = 0 where account_id = ?`, [
      NOW + 7 * DAY,
      id,
    ])
    return { run: (db, now) => warnOfServices(context(db, now)), result: () => messagesOf(id) }
  },
  certificates: async () => {
    const id = await createTroubledDevice()
    return { run: (db, now) => warnOfCertificates(context(db, now)), result: () => messagesOf(id) }
  },
  profiles: async () => {
    const id = await createEndingProfiles()
    return { run: (db, now) => warnOfProfiles(context(db, now)), result: () => messagesOf(id) }
  },
  status: async () => {
    await run(`delete from job_runs where job = ?`, [CRON_JOB])
    return {
      run: (db, now) => sampleStatus(db, NO_STATUS, now),
      result: () => texts('select job from job_runs where job = ?', [CRON_JOB]),
    }
  },
  'pop-terms': async () => {
    const { id } = await createAccount(0)
    await run(`insert into network_frs (account_id, name, created_at, expire_at) values (?, '骨干', 0, ?)`, [id, NOW])
    return {
      run: (db, now) => lapseResources(context(db, now)),
      result: async () => [await texts('select lapsed from network_frs where account_id = ?', [id]), await auditOf(id)],
    }
  },
  directories: async () => {
    const { id } = await createAccount(0)
    const late = await createAccount(0)
    const { hubs, calls } = fakeHubs()
    for (const [account, dueAt] of [
      [id, NOW - 60_000],
      [late.id, NOW + 60 * DAY], // not yet
    ] as const)
      await run('insert into ldap_hubs (account_id, hub, due_at) values (?, ?, ?)', [
        account,
        `default.ldap${account}`,
        dueAt,
      ])
    const woken = (hub: string) => calls.some((call) => call.hub === hub && call.method === 'refresh')
    return {
      run: (db, now) => wakeDirectories(db, hubs, now),
      result: async () => [woken(`default.ldap${id}`), woken(`default.ldap${late.id}`)], // a refresh may be repeated
    }
  },
  files: async () => {
    const { id } = await createAccount(0)
    const { bucket, objects } = await createBucket(id)
    return {
      run: (db, now) => deleteOrphanFiles(db, bucket, PART_00 + now - NOW),
      result: async () => [[...objects], await texts('select key from files where account_id = ?', [id])],
      againMs: 256 * 60_000,
    }
  },
  contacts: async () => {
    const { id } = await createAccount(0)
    await insertContact(id)
    return {
      run: (db, now) => warnOfContactExpiry(context(db, now)),
      result: async () => [
        await messagesOf(id),
        await texts('select days, mail_due_at is not null from contact_warnings where account_id = ?', [id]),
      ],
    }
  },
  'contact-mails': async () => {
    const { id } = await createAccount(0)
    await insertContact(id)
    const sent: string[] = []
    const mail = {
      send: async (to: string, { eventId = '' }: OutgoingMail) => void (to === `job${id}@b.cn` && sent.push(eventId)),
    }
    await run(
      `insert into contact_warnings (account_id, contact_id, expires_at, days, mail_due_at)
       select account_id, id, expires_at, 7, ? from contacts where account_id = ?`,
      [NOW, id],
    )
    return {
      run: (db, now) => mailContactWarnings({ db, mail, now, runId: 'r' }),
      result: async () => [
        new Set(sent).size, // one that is repeated has the same Message-ID
        await texts('select mail_due_at from contact_warnings where account_id = ?', [id]),
      ],
      againMs: 3 * 60_000,
    }
  },
  'ticket-mails': async () => {
    const { id } = await createAccount(0)
    await run('update accounts set email = ? where id = ?', [`reply${id}@b.cn`, id])
    await createReply(id, { dueAt: NOW })
    const sent: string[] = []
    const mail = {
      send: async (to: string, { eventId = '' }: OutgoingMail) => void (to === `reply${id}@b.cn` && sent.push(eventId)),
    }
    return {
      run: (db, now) => mailTicketReplies({ db, mail, now, runId: 'r' }),
      result: async () => [
        new Set(sent).size, // one that is repeated has the same Message-ID
        await texts('select mail_due_at from ticket_replies where account_id = ?', [id]),
      ],
      againMs: 3 * 60_000,
    }
  },
  tickets: createTickets,
  providers: async () => {
    await run('delete from provider_status')
    const works = { check: () => Promise.resolve() }
    return {
      run: (db, now) => checkProviders(db, { mail: works, sms: works } as never, now),
      result: () => texts('select channel, is_down from provider_status order by channel', []),
      againMs: PROVIDER.checkMs,
    }
  },
  erasures: async () => {
    const { id } = await createAccount(0)
    await insertNetwork(id)
    await createRouters(id, 1, 0)
    await run(
      `insert into account_erasures (account_id, started_at, started_by, directory_hub) values (?, 0, 'o', ?)`,
      [id, `default.directory${id}`],
    )
    const { hubs } = fakeHubs()
    const files = { delete: async () => {} }
    return {
      run: (db, now) => continueErasures({ ...context(db, now), hubs, files }),
      result: async () => [
        await texts('select username from accounts where id = ?', [id]),
        await texts('select name from routers where account_id = ?', [id]),
        await texts('select number from networks where account_id = ?', [id]),
        await texts('select id from hub_outbox where erasure = ?', [id]),
        await texts('select directory_hub, finished_at is null from account_erasures where account_id = ?', [id]),
        await texts('select action from audit_logs where account_id = 0 and target = ?', [String(id)]),
      ],
    }
  },
  expiry: createExpired,
  'authority-keys': async () => {
    const { id } = await createAccount(0)
    const keySealed = await sealKey(`k0:${'0'.repeat(64)}`, id, new Uint8Array([1, 2, 3]).buffer)
    await run(
      `insert into authorities (account_id, name, certificate, key_sealed, expires_at, created_at)
       values (?, printf('%032d', ?), '', ?, 0, 0)`,
      [id, id, keySealed],
    )
    const stored = async () =>
      String((await run('select key_sealed from authorities where account_id = ?', [id]))[0]?.['key_sealed'])
    return {
      run: (db) => sealAuthorityKeys({ db, sealKeys: `${SEAL_KEYS},k0:${'0'.repeat(64)}`, runId: 'r' }),
      result: async () => {
        const text = await stored()
        const key = await openKey(`${SEAL_KEYS},k0:${'0'.repeat(64)}`, { accountId: id, keySealed: text })
        return [text.split('.').slice(0, 2).join('.'), key.toString('hex')]
      },
    }
  },
  'network-secrets': async () => {
    const { id } = await createAccount(0)
    await insertNetwork(id)
    const row = async () => (await run('select secret, secret_sealed from networks where account_id = ?', [id]))[0]
    return {
      run: (db) => sealNetworkSecrets({ db, sealKeys: SEAL_KEYS, runId: 'r' }),
      result: async () => {
        const [secret, secretSealed] = [String((await row())?.['secret']), String((await row())?.['secret_sealed'])]
        const opened = await openNetworkSecret(SEAL_KEYS, { accountId: id, number: `J${id}`, secret, secretSealed })
        return { opened, isReadable: secret === opened }
      },
    }
  },
  'member-passwords': async () => {
    const { id } = await createAccount(0)
    const [name = ''] = await createRouters(id, 0, 1)
    const [row] = await run('select hub from routers where name = ?', [name])
    const place = memberPasswordPlace(id, String(row?.['hub']))
    const sealed = await seal(SEAL_KEYS, place, 'Weilai26')
    await run(`update routers set password = '', password_sealed = ? where name = ?`, [sealed, name])
    const passwords = { run: async () => ({ isRight: false, hash: 'hashed' }) }
    return {
      run: (db) => hashMemberPasswords({ db, passwords, sealKeys: SEAL_KEYS, runId: 'r', gapMs: 0 }),
      result: () => texts('select length(password) > 0, password_sealed is null from routers where name = ?', [name]),
    }
  },
}
