import { type SQL, and, eq, sql } from 'drizzle-orm'
import { Refusal } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import type { Db } from './client.ts'
import { isOneOf } from './columns.ts'
import { guard } from './guard.ts'
import { networks } from './schema/networks.ts'

/* Optimistic locks of networks: guards of their revisions, and the retry after a conflict. */

/** Attempts of one write. Of parallel writes to one network, one commits per attempt. */
const TRIES = 25
const SPREAD_MS = 30

/** Error of a write: another write committed between its read and its batch. */
class Conflict extends Error {}

export interface Revision {
  readonly id: number
  readonly revision: number
}

/** Optimistic lock: aborts the batch unless the networks still have these revisions. Bump them in the same batch. */
export const guardRevisions = (db: Db, accountId: number, revisions: readonly Revision[]) =>
  guard(db, hasRevisions(accountId, revisions), violation('NETWORK_CHANGED'))

/** The same for all networks of the account; a network that was added also aborts. */
export const guardNetworks = (db: Db, accountId: number, revisions: readonly Revision[]) =>
  guard(
    db,
    sql`${hasRevisions(accountId, revisions)}
      and (select count(*) from networks where account_id = ${accountId}) = ${revisions.length}`,
    violation('NETWORK_CHANGED'),
  )

/** The same for all networks of these routers; a network that one of them joined also aborts. */
export const guardRouterNetworks = (
  db: Db,
  accountId: number,
  routerIds: readonly number[],
  revisions: readonly Revision[],
  memberships: number,
) =>
  guard(
    db,
    sql`${hasRevisions(accountId, revisions)} and (select count(*) from network_members
      where account_id = ${accountId} and router_id in (select value from json_each(${JSON.stringify(routerIds)})))
      = ${memberships}`,
    violation('NETWORK_CHANGED'),
  )

/** Raises the revisions of these networks, so that the guards of concurrent writes abort. */
export const bumpRevisions = (db: Db, accountId: number, networkIds: readonly number[]) =>
  db
    .update(networks)
    .set({ revision: sql`${networks.revision} + 1` })
    .where(and(eq(networks.accountId, accountId), isOneOf(networks.id, networkIds)))

function hasRevisions(accountId: number, revisions: readonly Revision[]): SQL {
  const expected = JSON.stringify(revisions.map(({ id, revision }) => ({ id, revision })))
  return sql`(select count(*) from networks n join json_each(${expected}) e
    on n.id = e.value ->> 'id' and n.revision = e.value ->> 'revision'
    where n.account_id = ${accountId}) = ${revisions.length}`
}

/** Unique constraints that concurrent writes may hit: a host, a subnet index, a port, or the key of a creation. */
const CHOSEN_TWICE =
  /UNIQUE constraint failed: ((network|pop)_members\.|port_claims\.|point_links\.|networks\.account_id, networks\.create_key)/

/** Runs a batch with `guardRevisions`. A value that two writes chose is a conflict too. */
export async function detectConflict<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    const isStale = error instanceof Refusal && error.violation.key === 'NETWORK_CHANGED'
    const text = error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : ''
    if (isStale || CHOSEN_TWICE.test(text)) throw new Conflict('another write committed first', { cause: error })
    throw error
  }
}

/**
 * Repeats read, decision and write as long as another write comes in between. Refuses with NETWORK_CHANGED after the last
 * attempt.
 */
export async function retryOnConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
      if (tries === TRIES) throw new Refusal(violation('NETWORK_CHANGED'))
      await new Promise((done) => setTimeout(done, Math.random() * SPREAD_MS * tries))
    }
  }
}
