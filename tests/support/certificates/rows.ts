import { eq } from 'drizzle-orm'
import { authorities, certificates, revocationLists, revocations } from '#db/schema/authorities.ts'
import { DAY_MS } from '#contract/kernel/time.ts'
import { randomHex } from '#security/secrets.ts'
import { db } from '#tests/support/test-worker.ts'

/* Rows of keys in a database of tests. */

/** Valid certificate of a router, as its hub would have stored it. Its text is no certificate. */
export async function insertCertificate(
  router: { readonly id: number; readonly name: string; readonly accountId: number },
  over: Partial<typeof certificates.$inferInsert> = {},
): Promise<string> {
  const { accountId } = router
  const now = Date.now()
  const authority = { accountId, name: randomHex(16), certificate: '', keySealed: '', expiresAt: now + YEAR_MS }
  await db
    .insert(authorities)
    .values({ ...authority, createdAt: now })
    .onConflictDoNothing()
  const [own] = await authoritiesOf(accountId)
  const serial = randomHex(16)
  await db.insert(certificates).values({
    accountId,
    authorityId: own!.id,
    routerId: router.id,
    routerName: router.name,
    serial,
    requestHash: 'x',
    isServer: 0,
    certificate: '',
    issuedAt: now,
    expiresAt: now + YEAR_MS,
    ...over,
  })
  return serial
}
const YEAR_MS = 365 * DAY_MS

export const authoritiesOf = (accountId: number) =>
  db.select().from(authorities).where(eq(authorities.accountId, accountId))
export const certificatesOf = (routerName: string) =>
  db.select().from(certificates).where(eq(certificates.routerName, routerName)).orderBy(certificates.id)
export const revocationsOf = (networkId: number) =>
  db.select().from(revocations).where(eq(revocations.networkId, networkId)).orderBy(revocations.id)
export const listsOf = (networkId: number) =>
  db.select().from(revocationLists).where(eq(revocationLists.networkId, networkId))
