import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { isOneOf } from '#db/columns.ts'
import { accounts } from '#db/schema/accounts.ts'
import { contactWarnings, contacts } from '#db/schema/monitor.ts'

/* Statements of the cron that warns before contacts' authorizations expire, by site message and mail. */

export const selectDueContacts = (db: Db, now: number, limit: number) =>
  db
    .select({
      id: contacts.id,
      accountId: contacts.accountId,
      uuid: contacts.uuid,
      name: contacts.name,
      email: contacts.email,
      expiresAt: sql<number>`${contacts.expiresAt}`.as('expires_at'),
      warnAt: sql<number>`${contacts.warnAt}`.as('warn_at'),
      hub: accounts.hub,
      hasMail: sql<0 | 1>`${accounts.email} is not null`.as('has_mail'),
    })
    .from(contacts)
    .innerJoin(accounts, eq(accounts.id, contacts.accountId))
    .where(lte(contacts.warnAt, now))
    .orderBy(asc(contacts.warnAt))
    .limit(limit)

export interface Warning {
  readonly contactId: number
  readonly accountId: number
  readonly expiresAt: number
  /** `warnAt` at the time of reading; another value now means that a parallel run or a renewal has changed it. */
  readonly warnAt: number
  readonly nextAt: number | null
  readonly days: number
  readonly mailDueAt: number | null
  readonly eventId: string
  readonly title: string
  readonly content: string
}

/** Warnings that their contact still awaits. Runs before `moveWarnings`, which sets the next time. */
const awaited = (warnings: readonly Warning[]) => sql`
  from json_each(${JSON.stringify(warnings)}) w
  join contacts c on c.id = w.value ->> 'contactId' and c.account_id = w.value ->> 'accountId'
    and c.expires_at = w.value ->> 'expiresAt' and c.warn_at = w.value ->> 'warnAt'`

export const insertWarnings = (db: Db, warnings: readonly Warning[]) =>
  db.run(sql`
    insert into contact_warnings (account_id, contact_id, expires_at, days, mail_due_at)
    select c.account_id, c.id, c.expires_at, w.value ->> 'days', w.value ->> 'mailDueAt' ${awaited(warnings)}
    where true on conflict do nothing`)

export const insertWarningMessages = (db: Db, warnings: readonly Warning[], now: number) =>
  db.run(sql`
    insert into messages (account_id, event_id, type, title, content, created_at)
    select c.account_id, w.value ->> 'eventId', '系统', w.value ->> 'title', w.value ->> 'content', ${now} ${awaited(warnings)}
    where true on conflict (event_id) do nothing`)

export const moveWarnings = (db: Db, warnings: readonly Warning[]) =>
  db.run(sql`
    update contacts set warn_at = w.value ->> 'nextAt'
    from json_each(${JSON.stringify(warnings)}) w
    where contacts.id = w.value ->> 'contactId' and contacts.account_id = w.value ->> 'accountId'
      and contacts.expires_at = w.value ->> 'expiresAt' and contacts.warn_at = w.value ->> 'warnAt'`)

/** Warnings to be mailed, except those of authorizations that were renewed meanwhile. */
export const selectDueMails = (db: Db, now: number, limit: number) =>
  db
    .select({
      id: contactWarnings.id,
      accountId: contactWarnings.accountId,
      tries: contactWarnings.mailTries,
      email: contacts.email,
      expiresAt: contactWarnings.expiresAt,
      to: sql<string>`${accounts.email}`.as('recipient'),
      host: accounts.host,
    })
    .from(contactWarnings)
    .innerJoin(
      contacts,
      and(eq(contacts.id, contactWarnings.contactId), eq(contacts.expiresAt, contactWarnings.expiresAt)),
    )
    .innerJoin(accounts, and(eq(accounts.id, contactWarnings.accountId), sql`${accounts.email} is not null`))
    .where(lte(contactWarnings.mailDueAt, now))
    .orderBy(asc(contactWarnings.mailDueAt))
    .limit(limit)

interface Claim {
  readonly accountId: number
  readonly ids: readonly number[]
  readonly now: number
  /** Time at which another run may take them, if this one is cut off or the provider refuses. */
  readonly againAt: number
}

/** Takes mails for this run. It does not return mails that a parallel run has taken. */
export const claimMails = (db: Db, { accountId, ids, now, againAt }: Claim) =>
  db
    .update(contactWarnings)
    .set({ mailDueAt: againAt, mailTries: sql`${contactWarnings.mailTries} + 1` })
    .where(
      and(
        eq(contactWarnings.accountId, accountId),
        isOneOf(contactWarnings.id, ids),
        lte(contactWarnings.mailDueAt, now),
      ),
    )
    .returning({ id: contactWarnings.id })

export const finishMails = (db: Db, accountId: number, ids: readonly number[]) =>
  db
    .update(contactWarnings)
    .set({ mailDueAt: null })
    .where(
      and(eq(contactWarnings.accountId, accountId), isOneOf(contactWarnings.id, ids), gt(contactWarnings.mailTries, 0)),
    )
