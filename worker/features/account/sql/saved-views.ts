import { and, asc, eq, sql } from 'drizzle-orm'
import { SAVED_VIEW } from '#contract/account/limits.ts'
import { violation } from '#contract/kernel/result.ts'
import type { Session } from '#contract/kernel/session.ts'
import type { Db } from '#db/client.ts'
import { guard } from '#db/guard.ts'
import { savedViews } from '#db/schema/accounts.ts'
import { personKey } from '#domain/account/user.ts'

/* Statements of saved views; each row belongs to one person. */

type Person = Pick<Session, 'accountId' | 'ramId'>

const isOf = (person: Person) =>
  and(eq(savedViews.accountId, person.accountId), eq(savedViews.person, personKey(person)))

export const selectViews = (db: Db, person: Person) =>
  db
    .select({ id: savedViews.id, list: savedViews.list, name: savedViews.name, query: savedViews.query })
    .from(savedViews)
    .where(isOf(person))
    .orderBy(asc(savedViews.name))

export const selectView = (db: Db, person: Person, id: number) =>
  db
    .select({ name: savedViews.name })
    .from(savedViews)
    .where(and(isOf(person), eq(savedViews.id, id)))

export const deleteView = (db: Db, person: Person, by: { readonly id: number } | { readonly name: string }) =>
  db.delete(savedViews).where(and(isOf(person), 'id' in by ? eq(savedViews.id, by.id) : eq(savedViews.name, by.name)))

export const guardViewCount = (db: Db, person: Person) =>
  guard(
    db,
    sql`(select count(*) from saved_views where ${isOf(person)}) < ${SAVED_VIEW.perPerson}`,
    violation('SAVED_VIEWS_FULL', { limit: SAVED_VIEW.perPerson }),
  )

type NewView = Pick<typeof savedViews.$inferInsert, 'list' | 'name' | 'query' | 'createdAt'>

export const insertView = (db: Db, person: Person, view: NewView) =>
  db.insert(savedViews).values({ accountId: person.accountId, ramId: person.ramId, person: personKey(person), ...view })
