import { type AuditContext, type AuditEntry, auditRow, createOperator } from '#db/audit.ts'

export type Difference = Pick<AuditEntry, 'before' | 'after'>

/** Audit row of an operator's call, in the log of an account; account 0 is the log of the service itself. */
export const operatorAudit = (
  ctx: AuditContext,
  accountId: Parameters<typeof createOperator>[1],
  entry: Omit<AuditEntry, 'module'>,
) => auditRow(ctx, { ...entry, module: 'ops' }, createOperator(ctx, accountId))
