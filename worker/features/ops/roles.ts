import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { batch } from '#db/batch.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { renewRights } from '#features/login/sql/sessions.ts'
import { ramsWithRole, updateRole } from '#features/ram-role/sql.ts'
import type { Ctx } from '#http/context.ts'
import { operatorAudit } from './audit.ts'
import { selectRole } from './sql/accounts.ts'

/** Operator's change of a role's rights. Its people stay signed in; their consoles get the new rights. */
export async function editRole(ctx: Ctx, input: Parsed<(typeof opsApi)['editRole']>): Promise<void> {
  const { db, now } = ctx
  const [found] = await selectRole(db, input.account, input.role)
  const { id, accountId, hub, ...before } = found ?? refuse('RAM_ROLE_NOT_FOUND')
  const after = {
    flags: input.flags === undefined ? before.flags : JSON.stringify(input.flags),
    networks: input.networks === undefined ? before.networks : input.networks && JSON.stringify(input.networks),
  }
  if (after.flags === before.flags && after.networks === before.networks) return
  await batch(db, {
    role: updateRole(db, { accountId, id }, { ...after, updatedAt: now }),
    sessions: renewRights(db, accountId, ramsWithRole(db, { accountId, id })),
    audit: operatorAudit(ctx, accountId, {
      action: 'ram/role',
      target: input.role,
      message: '运营修改角色权限',
      before: toAudited(before, after),
      after: toAudited(after, before),
    }),
    hubs: notifyHubs(ctx, refreshTasks('account', [hub])),
  })
}

type Rights = Pick<Awaited<ReturnType<typeof selectRole>>[number], 'flags' | 'networks'>

const toAudited = ({ flags, networks }: Rights, other: Rights) => ({
  ...(flags !== other.flags && { flags: JSON.parse(flags) as unknown }),
  ...(networks !== other.networks && { networks: JSON.parse(networks ?? 'null') as unknown }),
})
