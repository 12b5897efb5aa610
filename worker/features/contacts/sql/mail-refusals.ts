import { eq, sql } from 'drizzle-orm'
import { violation } from '#contract/kernel/result.ts'
import type { Db } from '#db/client.ts'
import { guard } from '#db/guard.ts'
import { mailRefusals } from '#db/schema/monitor.ts'

/* Statements on addresses whose readers want no verification mails. They belong to no account. */

export const guardMailAccepted = (db: Db, addressHash: string) =>
  guard(
    db,
    sql`not exists (select 1 from mail_refusals where address_hash = ${addressHash})`,
    violation('CONTACT_MAIL_REFUSED'),
  )

export const insertMailRefusal = (db: Db, addressHash: string, refusedAt: number) =>
  db.insert(mailRefusals).values({ addressHash, refusedAt }).onConflictDoNothing()

export const deleteMailRefusal = (db: Db, addressHash: string) =>
  db.delete(mailRefusals).where(eq(mailRefusals.addressHash, addressHash))
