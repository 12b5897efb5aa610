import type { SQL } from 'drizzle-orm'
import type { Ctx } from '../../http/context.ts'
import { auditLogs } from '../../db/schema/accounts.ts'

export interface AuditEntry {
  /** First URL segment of the endpoint: network, router, account … */
  readonly module: string
  /** Its second segment: create, edit_sign … */
  readonly action: string
  /** Number or name of what was changed. */
  readonly target: string
  /** One Chinese sentence for the log page. */
  readonly message: string
  /** Only what differs; never a secret. */
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
}

/** Who did it, where that is not the signed-in caller. `accountId` is whose log it belongs to: 0 is the service's own, SQL finds one made in the same batch. */
export interface AuditActor {
  readonly accountId: number | SQL
  readonly kind: 'main' | 'ram' | 'operator' | 'system'
  readonly id?: number | SQL | null
  readonly name: string
}

/** The audit row of a write, to be put into the write's own batch. */
export function auditRow(ctx: Ctx, entry: AuditEntry, actor: AuditActor = callerOf(ctx)) {
  return ctx.db.insert(auditLogs).values({
    accountId: actor.accountId,
    actorKind: actor.kind,
    actorId: actor.id ?? null,
    actorName: actor.name,
    module: entry.module,
    action: entry.action,
    target: entry.target,
    message: entry.message,
    before: entry.before ? JSON.stringify(entry.before) : null,
    after: entry.after ? JSON.stringify(entry.after) : null,
    ip: ctx.ip,
    requestId: ctx.requestId,
    at: ctx.now,
  })
}

export const operatorFor = (accountId: number | SQL): AuditActor => ({ accountId, kind: 'operator', name: '运营' })
export const systemFor = (accountId: number): AuditActor => ({ accountId, kind: 'system', name: '系统' })

function callerOf({ session }: Ctx): AuditActor {
  if (!session) throw new Error('auditRow: nobody is signed in, name the actor')
  return {
    accountId: session.accountId,
    kind: session.grants.kind,
    id: session.ramId ?? session.accountId,
    name: session.username,
  }
}
