import { type SQL, sql } from 'drizzle-orm'
import type { Session } from '#contract/kernel/session.ts'
import type { Db } from './client.ts'
import { auditLogs } from './schema/accounts.ts'

/* Rows of the audit log: changes by signed-in callers, by the operator and by the service itself. */

export interface AuditContext {
  readonly db: Db
  readonly session: Session | null
  /** Holder of the operator token of an operator's call. */
  readonly operator?: { readonly name: string } | null
  readonly ip: string
  readonly requestId: string
  readonly now: number
}

export interface AuditEntry {
  /** First URL segment of the endpoint: network, router, account … */
  readonly module: string
  /** Second segment of the endpoint: create, edit_sign … */
  readonly action: string
  /** Number or name of the changed object. */
  readonly target: string
  /** One Chinese sentence for the log page. */
  readonly message: string
  /** Differing values only, never a secret. */
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
}

/** Actor of an audit row that is not the signed-in caller. */
export interface AuditActor {
  /** Account that owns the log; 0 is the service itself. SQL finds an account that the same batch creates. */
  readonly accountId: number | SQL
  readonly kind: 'main' | 'ram' | 'operator' | 'system'
  readonly id?: number | SQL | null
  readonly name: string
}

/** The audit row of a write: a statement of the write's own batch. */
export function auditRow(ctx: AuditContext, entry: AuditEntry, actor: AuditActor = toActor(ctx)) {
  const { before, after, ...what } = entry
  return ctx.db.insert(auditLogs).values({
    ...what,
    accountId: actor.accountId as number, // drizzle takes SQL for every value, but types it only in `values` literals
    actorKind: actor.kind,
    actorId: (actor.id ?? null) as number | null,
    actorName: actor.name,
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
    ip: ctx.ip,
    requestId: ctx.requestId,
    at: ctx.now,
  })
}

/** Audit rows of a bulk write in one statement: one row for each object. */
export function auditRows(ctx: AuditContext, entries: readonly AuditEntry[], actor: AuditActor = toActor(ctx)) {
  const { accountId, kind, id, name } = actor
  return ctx.db.run(sql`
    insert into audit_logs
      (account_id, actor_kind, actor_id, actor_name, module, action, target, message, before, after, ip, request_id, at)
    select ${accountId}, ${kind}, ${id ?? null}, ${name}, value ->> 'module', value ->> 'action', value ->> 'target',
      value ->> 'message', value -> 'before', value -> 'after', ${ctx.ip}, ${ctx.requestId}, ${ctx.now}
    from json_each(${JSON.stringify(entries)})`)
}

export interface CronRun {
  readonly now: number
  readonly runId: string
}

/**
 * Audit rows of changes that the service makes by itself: one for each row of `rows`, which selects account_id, target and
 * the name for `{name}` in the message. Put it in front of the statement that changes these rows.
 */
export const auditSystemRows = (db: Db, run: CronRun, entry: Omit<AuditEntry, 'target'>, rows: SQL) =>
  db.run(sql`
    insert into audit_logs
      (account_id, actor_kind, actor_id, actor_name, module, action, target, message, before, after, ip, request_id, at)
    select account_id, 'system', null, ${SYSTEM_NAME}, ${entry.module}, ${entry.action}, target,
      replace(${entry.message}, '{name}', name), ${JSON.stringify(entry.before ?? null)}, ${JSON.stringify(entry.after ?? null)},
      '', ${run.runId}, ${run.now}
    from (${rows})`)

const SYSTEM_NAME = '系统'

/** The operator as the actor, by the name of its token: customers read `运营（li.na）`. */
export function createOperator({ operator }: AuditContext, accountId: number | SQL): AuditActor {
  if (!operator) throw new Error('createOperator: no operator token')
  return { accountId, kind: 'operator', name: `运营（${operator.name}）` }
}
export const systemFor = (accountId: number | SQL): AuditActor => ({ accountId, kind: 'system', name: SYSTEM_NAME })

export function toActor({ session }: AuditContext): AuditActor {
  if (!session) throw new Error('auditRow: no session, name the actor')
  return {
    accountId: session.accountId,
    kind: session.grants.kind,
    id: session.ramId ?? session.accountId,
    name: session.username,
  }
}
