import { type SQL, and, desc, eq, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { CONTACT } from '#contract/contacts/limits.ts'
import { violation } from '#contract/kernel/result.ts'
import type { Db } from '#db/client.ts'
import { as, contains } from '#db/columns.ts'
import { guard } from '#db/guard.ts'
import { accounts } from '#db/schema/accounts.ts'
import { contactLinks, contacts } from '#db/schema/monitor.ts'

/* Statements on contacts of accounts: their rows, guards, mail links, and who may receive mails. */

/** Contacts of an account, each with the end of its authorization; null if the address is not verified. */
export const selectRecipients = (db: Db, ofAccount: SQL | undefined) =>
  db
    .select({ uuid: contacts.uuid, email: contacts.email, expiresAt: contacts.expiresAt })
    .from(accounts)
    .innerJoin(contacts, eq(contacts.accountId, accounts.id))
    .where(ofAccount)
    .orderBy(contacts.id)

/** Contacts of an account whose authorization is over, the last to end first. */
export const selectExpiredContacts = (db: Db, accountId: number, now: number) =>
  db
    .select({ uuid: contacts.uuid, name: as(contacts.name, 'contact_name'), expiresAt: contacts.expiresAt })
    .from(contacts)
    .where(and(eq(contacts.accountId, accountId), lte(contacts.expiresAt, now)))
    .orderBy(desc(contacts.expiresAt))

/** One row if a mail of the account may go to this address: its own, or that of an authorized contact. */
export const selectMailTarget = (db: Db, ofAccount: SQL | undefined, email: string, now: number) =>
  db
    .select({ accountId: accounts.id, uuid: contacts.uuid })
    .from(accounts)
    .leftJoin(
      contacts,
      and(eq(contacts.accountId, accounts.id), eq(contacts.email, email), gt(contacts.expiresAt, now)),
    )
    .where(and(ofAccount, or(eq(accounts.email, email), isNotNull(contacts.id))))

const columns = {
  uuid: contacts.uuid,
  name: contacts.name,
  email: contacts.email,
  verifiedAt: contacts.verifiedAt,
  expiresAt: contacts.expiresAt,
  mailState: contacts.mailState,
  mailAt: contacts.mailAt,
}

const isContact = (accountId: number, uuid: string) => and(eq(contacts.accountId, accountId), eq(contacts.uuid, uuid))

export const selectContacts = (db: Db, accountId: number, search: string) =>
  db
    .select(columns)
    .from(contacts)
    .where(
      and(
        eq(contacts.accountId, accountId),
        search === '' ? undefined : or(contains(contacts.name, search), contains(contacts.email, search)),
      ),
    )
    .orderBy(desc(contacts.id))

export const selectContact = (db: Db, accountId: number, uuid: string) =>
  db
    .select({ ...columns, hub: accounts.hub })
    .from(contacts)
    .innerJoin(accounts, eq(accounts.id, contacts.accountId))
    .where(isContact(accountId, uuid))

export const selectOwner = (db: Db, accountId: number) =>
  db.select({ nickname: accounts.nickname, host: accounts.host }).from(accounts).where(eq(accounts.id, accountId))

export const guardQuota = (db: Db, accountId: number) =>
  guard(
    db,
    sql`(select count(*) from contacts where account_id = ${accountId}) < ${CONTACT.max}`,
    violation('CONTACT_LIMIT_REACHED', { limit: CONTACT.max }),
  )

export const guardContact = (db: Db, accountId: number, uuid: string) =>
  guard(db, contactExists(accountId, uuid), violation('CONTACT_NOT_FOUND'))

/** Guard: the contact still has this address, so that no link is mailed to one address and verifies another. */
export const guardAddress = (
  db: Db,
  accountId: number,
  { uuid, email }: Pick<typeof contacts.$inferInsert, 'uuid' | 'email'>,
) => guard(db, contactExists(accountId, uuid, sql`and email = ${email}`), violation('CONTACT_CHANGED'))

export const guardUnverified = (db: Db, accountId: number, uuid: string) =>
  guard(db, contactExists(accountId, uuid, sql`and verified_at is null`), violation('CONTACT_VERIFIED'))

export const guardVerified = (db: Db, accountId: number, uuid: string) =>
  guard(db, contactExists(accountId, uuid, sql`and verified_at is not null`), violation('CONTACT_UNVERIFIED'))

const contactExists = (accountId: number, uuid: string, more: SQL = sql``): SQL =>
  sql`exists (select 1 from contacts where account_id = ${accountId} and uuid = ${uuid} ${more})`

export const insertContact = (db: Db, row: typeof contacts.$inferInsert) => db.insert(contacts).values(row)

export const updateContact = (
  db: Db,
  accountId: number,
  uuid: string,
  set: Partial<Omit<typeof contacts.$inferInsert, 'id' | 'accountId' | 'uuid'>>,
) => db.update(contacts).set(set).where(isContact(accountId, uuid))

export const deleteContact = (db: Db, accountId: number, uuid: string) =>
  db.delete(contacts).where(isContact(accountId, uuid))

/** Sets or ends a contact's authorization. The caller has the secret of a mail instead of a session. */
export const setAuthorization = (
  db: Db,
  { accountId, uuid, email }: Pick<typeof contacts.$inferSelect, 'accountId' | 'uuid' | 'email'>,
  set: Pick<typeof contacts.$inferInsert, 'verifiedAt' | 'expiresAt' | 'warnAt'>,
) =>
  db
    .update(contacts)
    .set(set)
    .where(
      and(
        isContact(accountId, uuid),
        eq(contacts.email, email),
        set.verifiedAt === null ? isNotNull(contacts.verifiedAt) : isNull(contacts.verifiedAt),
      ),
    )

/** Stores the provider's answer to one mail, unless a later mail was sent. */
export const saveMailState = (db: Db, accountId: number, uuid: string, mailAt: number, mailState: 'sent' | 'failed') =>
  db
    .update(contacts)
    .set({ mailState })
    .where(and(isContact(accountId, uuid), eq(contacts.mailAt, mailAt), eq(contacts.mailState, 'pending')))

type NewLink = Omit<typeof contactLinks.$inferInsert, 'id' | 'contactId'> & { readonly uuid: string }

export const insertLink = (db: Db, { accountId, uuid, tokenHash, expiresAt }: NewLink) =>
  db.run(sql`
    insert into contact_links (account_id, contact_id, token_hash, expires_at)
    select account_id, id, ${tokenHash}, ${expiresAt} from contacts where account_id = ${accountId} and uuid = ${uuid}`)

/** Deletes links of earlier mails: they must not verify an address that the contact no longer has or allows. */
export const deleteLinks = (db: Db, accountId: number, uuid: string) =>
  db
    .delete(contactLinks)
    .where(
      and(
        eq(contactLinks.accountId, accountId),
        sql`${contactLinks.contactId} = (select id from contacts where account_id = ${accountId} and uuid = ${uuid})`,
      ),
    )

const linkedColumns = { ...columns, accountId: contacts.accountId, hub: accounts.hub }

export const selectByLink = (db: Db, tokenHash: string, now: number) =>
  db
    .select(linkedColumns)
    .from(contactLinks)
    .innerJoin(contacts, eq(contacts.id, contactLinks.contactId))
    .innerJoin(accounts, eq(accounts.id, contacts.accountId))
    .where(and(eq(contactLinks.tokenHash, tokenHash), gt(contactLinks.expiresAt, now)))

export const guardLink = (db: Db, tokenHash: string) =>
  guard(db, sql`exists (select 1 from contact_links where token_hash = ${tokenHash})`, violation('CONTACT_LINK_BAD'))

export const selectByUuid = (db: Db, uuid: string) =>
  db
    .select(linkedColumns)
    .from(contacts)
    .innerJoin(accounts, eq(accounts.id, contacts.accountId))
    .where(eq(contacts.uuid, uuid))
