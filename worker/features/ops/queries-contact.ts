import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { accounts } from '#db/schema/accounts.ts'
import { contacts } from '#db/schema/contacts.ts'

export const selectVerifiedContact = (db: Db, username: string, email: string) =>
  db
    .select({
      accountId: contacts.accountId,
      uuid: contacts.uuid,
      name: contacts.name,
      expiresAt: contacts.expiresAt,
      hub: accounts.hub,
    })
    .from(contacts)
    .innerJoin(accounts, eq(accounts.id, contacts.accountId))
    .where(and(eq(accounts.username, username), eq(contacts.email, email), isNotNull(contacts.verifiedAt)))

export const updateContactExpiry = (
  db: Db,
  accountId: number,
  uuid: string,
  set: { readonly verifiedAt: number; readonly expiresAt: number; readonly warnAt: number },
) =>
  db
    .update(contacts)
    .set(set)
    .where(and(eq(contacts.accountId, accountId), eq(contacts.uuid, uuid), isNotNull(contacts.verifiedAt)))
