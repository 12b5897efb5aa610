import { type SQL, and, eq, gt, isNotNull, or } from 'drizzle-orm'
import type { Db } from './client.ts'
import { accounts } from './schema/accounts.ts'
import { contacts } from './schema/contacts.ts'

/** Contacts of an account that may be written to: an address that is not verified, or whose authorization is over, gets nothing. */
export const selectRecipients = (db: Db, ofAccount: SQL | undefined, now: number) =>
  db
    .select({ uuid: contacts.uuid, email: contacts.email })
    .from(accounts)
    .innerJoin(contacts, and(eq(contacts.accountId, accounts.id), gt(contacts.expiresAt, now)))
    .where(ofAccount)
    .orderBy(contacts.id)

/** A row where a mail of the account may go to this address: its own, or that of such a contact. */
export const selectMailTarget = (db: Db, ofAccount: SQL | undefined, email: string, now: number) =>
  db
    .select({ accountId: accounts.id, uuid: contacts.uuid })
    .from(accounts)
    .leftJoin(
      contacts,
      and(eq(contacts.accountId, accounts.id), eq(contacts.email, email), gt(contacts.expiresAt, now)),
    )
    .where(and(ofAccount, or(eq(accounts.email, email), isNotNull(contacts.id))))
