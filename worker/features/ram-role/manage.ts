import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { Refusal, refuse, throwIf } from '#contract/kernel/errors.ts'
import type { ramRoleApi } from '#contract/ram-role/index.ts'
import { violation } from '#contract/kernel/result.ts'
import { selectAccountHub } from '#features/account/sql/accounts.ts'
import { type AuditEntry, auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { mapUniqueViolation } from '#db/guard.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { renewRights } from '#features/login/sql/sessions.ts'
import {
  checkNetworks,
  checkRights,
  readRights,
  toAuth,
  toColumns,
  toRights,
  checkUnused,
} from '#domain/ram-role/rights.ts'
import { type Ctx, requireAccountId } from '#http/context.ts'
import {
  deleteRole,
  guardRole,
  guardRoleNetworks,
  guardUnused,
  insertRole,
  ramsWithRole,
  selectNetworkNumbers,
  selectRole,
  selectUsers,
  updateRole,
} from './sql.ts'

/* Roles of sub-accounts (角色): created, edited, deleted. */

type RoleInput<K extends keyof typeof ramRoleApi> = Parsed<(typeof ramRoleApi)[K]>

const TAKEN = { 'ram_roles.account_id': violation('RAM_ROLE_TAKEN', {}, 'name') }

const audit = (ctx: Ctx, entry: Omit<AuditEntry, 'module'>) => auditRow(ctx, { module: 'ram_role', ...entry })

export async function createRole(ctx: Ctx, given: RoleInput<'create'>): Promise<Output<typeof ramRoleApi.create>> {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const { name, note } = given
  const rights = toRights(given.auth)
  throwIf(checkRights(rights))
  throwIf(checkNetworks(rights, toNumbers(await selectNetworkNumbers(db, accountId))))
  const columns = toColumns(rights)
  const write = batch(db, {
    networks: columns.networks !== null && guardRoleNetworks(db, accountId, columns.networks),
    roles: insertRole(db, { accountId, name, note, ...columns, createdAt: now, updatedAt: now }),
    audit: audit(ctx, {
      action: 'create',
      target: name,
      message: `添加角色“${name}”`,
      after: { name, note, ...rights },
    }),
  })
  const { roles } = await mapUniqueViolation(write, TAKEN)
  return { id: roles[0]?.id ?? refuse('FAULT') }
}

/**
 * Changes a role. Its people stay signed in: their consoles renew their tokens and get the new rights. A new name or note
 * changes nothing for them.
 */
export async function editRole(ctx: Ctx, given: RoleInput<'edit'>): Promise<void> {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const { id, name, note } = given
  const rights = toRights(given.auth)
  const found = await batch(db, {
    roles: selectRole(db, accountId, id),
    networks: selectNetworkNumbers(db, accountId),
    hubs: selectAccountHub(db, accountId),
  })
  const row = found.roles[0] ?? refuse('RAM_ROLE_NOT_FOUND')
  const hub = found.hubs[0]?.hub ?? refuse('SESSION_REVOKED')
  throwIf(checkRights(rights))
  throwIf(checkNetworks(rights, toNumbers(found.networks)))
  const columns = toColumns(rights)
  const stored = toColumns(toRights(toAuth(readRights(row)))) // the operator may have stored another order
  const [before, after] = toDifferences({ ...row, ...stored }, { name, note, ...columns })
  if (Object.keys(after).length === 0) return
  const isOther = 'flags' in after || 'networks' in after
  const write = batch(db, {
    exists: guardRole(db, accountId, id, 'RAM_ROLE_NOT_FOUND'),
    networks: columns.networks !== null && guardRoleNetworks(db, accountId, columns.networks),
    role: updateRole(db, { accountId, id }, { name, note, ...columns, updatedAt: now }),
    sessions: isOther && renewRights(db, accountId, ramsWithRole(db, { accountId, id })),
    audit: audit(ctx, { action: 'edit', target: name, message: `修改角色“${row.name}”`, before, after }),
    hubs: isOther && notifyHubs(ctx, refreshTasks('account', [hub])),
  })
  await mapUniqueViolation(write, TAKEN)
}

export async function removeRole(ctx: Ctx, { id }: RoleInput<'delete'>): Promise<void> {
  const { db } = ctx
  const accountId = requireAccountId(ctx)
  const found = await batch(db, {
    roles: selectRole(db, accountId, id),
    users: selectUsers(db, accountId, id),
  })
  const { name, note } = found.roles[0] ?? refuse('RAM_ROLE_NOT_FOUND')
  throwIf(checkUnused(toNames(found.users)))
  const write = batch(db, {
    exists: guardRole(db, accountId, id, 'RAM_ROLE_NOT_FOUND'),
    unused: guardUnused(db, accountId, id),
    role: deleteRole(db, accountId, id),
    audit: audit(ctx, { action: 'delete', target: name, message: `删除角色“${name}”`, before: { name, note } }),
  })
  await write.catch(async (error: unknown) => {
    const isTaken = error instanceof Refusal && error.violation.key === 'RAM_ROLE_IN_USE'
    throwIf(isTaken ? checkUnused(toNames(await selectUsers(db, accountId, id))) : null)
    throw error
  })
}

const toNumbers = (rows: readonly { readonly number: string }[]) => new Set(rows.map(({ number }) => number))
const toNames = (rows: readonly { readonly username: string }[]) => rows.map(({ username }) => username)

type RoleColumns = Pick<Awaited<ReturnType<typeof selectRole>>[number], 'name' | 'note' | 'flags' | 'networks'>

/** Columns of a role that differ, before and after; JSON lists are parsed. */
function toDifferences(before: RoleColumns, after: RoleColumns) {
  const differing = (['name', 'note', 'flags', 'networks'] as const).filter(
    (column) => before[column] !== after[column],
  )
  const toAudited = ({ name, note, flags, networks }: RoleColumns): Readonly<Record<string, unknown>> => {
    const values = {
      name,
      note,
      flags: JSON.parse(flags) as unknown,
      networks: JSON.parse(networks ?? 'null') as unknown,
    }
    return Object.fromEntries(differing.map((column) => [column, values[column]]))
  }
  return [toAudited(before), toAudited(after)] as const
}
