import { and, count, eq, gt, sql } from 'drizzle-orm'
import type { HubName } from '../../worker/contract/hubs.ts'
import { openPrimary } from '../../worker/db/client.ts'
import { accounts, sessions } from '../../worker/db/schema/accounts.ts'
import { messages } from '../../worker/db/schema/notices.ts'

export interface AccountFacts {
  readonly accountId: number
  readonly unread: number
  /** Watching sessions that are no longer open, and all that ended since the given time. */
  readonly endedSessions: readonly string[]
}

/** Rows of an account's hub, in one round trip; null when the account is deleted. */
export async function readAccount(
  env: Env,
  hub: HubName,
  watching: readonly string[],
  endedSince: number,
): Promise<AccountFacts | null> {
  const db = openPrimary(env)
  const [[account], [unread], closed, ended] = await db.batch([
    db.select({ id: accounts.id }).from(accounts).where(eq(accounts.hub, hub)),
    db
      .select({ count: count() })
      .from(messages)
      .innerJoin(accounts, eq(accounts.id, messages.accountId))
      .where(and(eq(accounts.hub, hub), eq(messages.status, 0))),
    db.all<[string]>(
      sql`select value from json_each(${JSON.stringify(watching)}) where value not in (
        select s.id from sessions s join accounts a on a.id = s.account_id
        where a.hub = ${hub} and s.ended_at is null)`,
    ),
    db
      .select({ id: sessions.id })
      .from(sessions)
      .innerJoin(accounts, eq(accounts.id, sessions.accountId))
      .where(and(eq(accounts.hub, hub), gt(sessions.endedAt, endedSince))),
  ])
  if (!account) return null
  const endedSessions = [...new Set([...closed.map(([id]) => id), ...ended.map(({ id }) => id)])]
  return { accountId: account.id, unread: unread?.count ?? 0, endedSessions }
}
