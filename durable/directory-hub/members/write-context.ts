import type { DirectoryActor } from '#contract/ldap/hub.ts'
import type { HubName, OutboxEntry } from '#contract/kernel/hubs.ts'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import { violation } from '#contract/kernel/result.ts'
import type { Scope } from '#contract/kernel/session.ts'
import { type AuditActor, type AuditContext, auditRows, systemFor } from '#db/audit.ts'
import type { Touched } from '#domain/ldap/plan.ts'

/** Context of every write to members of a directory: database, account, and the person who asked (null: a run). */
export interface WriteContext extends Omit<AuditContext, 'session'> {
  readonly session: null
  readonly hubOutbox: OutboxEntry[]
  readonly accountId: number
  readonly accountHub: HubName
  readonly sign: string
  readonly by: DirectoryActor | null
}

export const actorOf = ({ accountId, by }: WriteContext): AuditActor =>
  by ? { ...by, accountId } : systemFor(accountId)
export const scopeOf = ({ accountId }: WriteContext): Scope => ({
  accountId,
  grants: { kind: 'main', flags: PERMISSIONS, networks: null },
})
export const withSign = ({ sign }: WriteContext, name: string): string => `${name}@${sign}`
/** Unique columns that another write has taken since the list was read. */
export const CHANGED = {
  'routers.name': violation('LDAP_LIST_CHANGED'),
  'ldap_members.account_id': violation('LDAP_LIST_CHANGED'),
}

/** Audit rows, one per member that a run or a person touched. */
export const auditEach = (
  w: WriteContext,
  action: string,
  words: (name: string) => string,
  members: readonly Touched[],
) =>
  auditRows(
    w,
    members.map(({ name }) => ({
      module: 'ldap',
      action,
      target: withSign(w, name),
      message: words(withSign(w, name)),
    })),
    actorOf(w),
  )
