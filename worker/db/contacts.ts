import { and, eq, gt } from 'drizzle-orm'
import type { Db } from './client.ts'
import { isOneOf } from './columns.ts'
import { contacts } from './schema/contacts.ts'

/** Of these contacts those that may be written to: an address that is not verified, or whose authorization is over, gets nothing. */
export const selectRecipients = (db: Db, accountId: number, uuids: readonly string[], now: number) =>
  db
    .select({ uuid: contacts.uuid, name: contacts.name, email: contacts.email })
    .from(contacts)
    .where(and(eq(contacts.accountId, accountId), isOneOf(contacts.uuid, uuids), gt(contacts.expiresAt, now)))
    .orderBy(contacts.id)
