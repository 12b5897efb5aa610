import type { Parsed } from '#contract/kernel/endpoint.ts'
import type { opsApi } from '#contract/ops/index.ts'
import type { Grants } from '#contract/kernel/permissions.ts'
import { accountIdSql } from '#features/account/sql/accounts.ts'
import { createOperator } from '#db/audit.ts'
import type { Ctx } from '#http/context.ts'
import { setMemberStatus } from '#features/router/service.ts'

/* Operator's disabling and enabling of members. */

const ALL: Grants = { kind: 'main', flags: [], networks: null }

type Target = Parsed<typeof opsApi.enableMember>

export const disableMember = (ctx: Ctx, { confirm, ...target }: Parsed<typeof opsApi.disableMember>): Promise<void> =>
  setStatus(ctx, target, 0, confirm === 1)

export const enableMember = (ctx: Ctx, target: Target): Promise<void> => setStatus(ctx, target, 1, false)

/** Sets a status by the rules of router/update_status, in the account's log. */
function setStatus(ctx: Ctx, { account, name }: Target, status: 0 | 1, isConfirmed: boolean): Promise<void> {
  const accountId = accountIdSql(account)
  const scope = { accountId: accountId as unknown as number, grants: ALL } // drizzle compares with SQL, too
  const actor = createOperator(ctx, accountId)
  return setMemberStatus(ctx, scope, { routerName: name, status, isConfirmed, actor })
}
