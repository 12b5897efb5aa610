import { eq } from 'drizzle-orm'
import { authorities, certificates, revocationLists, revocations } from '#db/schema/authorities.ts'
import { db } from '#tests/support/test-worker.ts'

/* Rows of keys in a database of tests. */

export const authoritiesOf = (accountId: number) =>
  db.select().from(authorities).where(eq(authorities.accountId, accountId))
export const certificatesOf = (routerName: string) =>
  db.select().from(certificates).where(eq(certificates.routerName, routerName)).orderBy(certificates.id)
export const revocationsOf = (networkId: number) =>
  db.select().from(revocations).where(eq(revocations.networkId, networkId)).orderBy(revocations.id)
export const listsOf = (networkId: number) =>
  db.select().from(revocationLists).where(eq(revocationLists.networkId, networkId))
