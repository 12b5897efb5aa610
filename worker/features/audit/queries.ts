import { type SQL, sql } from 'drizzle-orm'
import { jsonObject } from '../../db/columns.ts'
import type { Ctx } from '../../http/context.ts'

/**
 * What was done. Parts that only the database knows are SQL, read where the row stands in its batch: in front of the
 * change, it tells what was before.
 */
export interface AuditEntry {
  /** First URL segment of the endpoint: network, router, account … */
  readonly module: string
  /** Its second segment: create, edit_sign … */
  readonly action: string
  /** Number or name of what was changed. */
  readonly target: string | SQL
  /** One Chinese sentence for the log page; `said` where SQL fills in a part. */
  readonly message: string | SQL
  /** Only what differs; never a secret. */
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
  /** Written only where this holds; left out, always. */
  readonly when?: SQL
}

/** Who did it, where that is not the signed-in caller. `accountId` is whose log it belongs to: 0 is the service's own, SQL finds one made in the same batch. */
export interface AuditActor {
  readonly accountId: number | SQL
  readonly kind: 'main' | 'ram' | 'operator' | 'system'
  readonly id?: number | SQL | null
  readonly name: string | SQL
}

/** The audit row of a write, to be put into the write's own batch. */
export function auditRow(ctx: Ctx, entry: AuditEntry, actor: AuditActor = callerOf(ctx)) {
  const { module, action, target, message, before, after, when = sql`true` } = entry
  const { accountId, kind, id = null, name } = actor
  return ctx.db.run(sql`
    insert into audit_logs
      (account_id, actor_kind, actor_id, actor_name, module, action, target, message, before, after, ip, request_id, at)
    select ${accountId}, ${kind}, ${id}, ${name}, ${module}, ${action}, ${target}, ${message},
      ${before ? jsonObject(before) : null}, ${after ? jsonObject(after) : null}, ${ctx.ip}, ${ctx.requestId}, ${ctx.now}
    where ${when}`)
}

/** A sentence that SQL fills in: said`删除组网“${name}”`. */
export function said(texts: TemplateStringsArray, ...parts: readonly (string | SQL)[]): SQL {
  const pieces = texts.flatMap((text, i) => [text, ...parts.slice(i, i + 1)])
  return sql.join(
    pieces.map((piece) => sql`${piece}`),
    sql` || `,
  )
}

export const operatorFor = (accountId: number | SQL): AuditActor => ({ accountId, kind: 'operator', name: '运营' })
export const systemFor = (accountId: number | SQL): AuditActor => ({ accountId, kind: 'system', name: '系统' })

function callerOf({ session }: Ctx): AuditActor {
  if (!session) throw new Error('auditRow: nobody is signed in, name the actor')
  return {
    accountId: session.accountId,
    kind: session.grants.kind,
    id: session.ramId ?? session.accountId,
    name: session.username,
  }
}
