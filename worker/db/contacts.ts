import { type SQL, and, eq, gt, isNotNull, or } from 'drizzle-orm'
import type { Db } from './client.ts'
import { accounts } from './schema/accounts.ts'
import { contacts } from './schema/contacts.ts'

/** Contacts of an account, each with the end of its authorization: null where the address is not verified. */
export const selectRecipients = (db: Db, ofAccount: SQL | undefined) =>
  db
    .select({ uuid: contacts.uuid, email: contacts.email, expiresAt: contacts.expiresAt })
    .from(accounts)
    .innerJoin(contacts, eq(contacts.accountId, accounts.id))
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
