import type { Parsed } from '#contract/kernel/endpoint.ts'
import type { RoleRow, ramRoleApi } from '#contract/ram-role/index.ts'
import { paged } from '#db/paged.ts'
import { requireRow } from '#db/require-row.ts'
import { readRights, toAuth } from '#domain/ram-role/rights.ts'
import { type Ctx, requireAccountId } from '#http/context.ts'
import { selectRole, selectRoleNames, selectRoles } from './sql.ts'

/* Roles of sub-accounts (角色): their list, the choices of a form, and one of them. */

type Api = typeof ramRoleApi
type StoredRole = Awaited<ReturnType<typeof selectRole>>[number]

const toRoleRow = (row: StoredRole): RoleRow => ({ ...row, auth: toAuth(readRights(row)) })

export async function listRoles(ctx: Ctx, { search, ...page }: Parsed<Api['lists']>) {
  const rows = selectRoles(ctx.db, requireAccountId(ctx), search)
  const { data, count } = await paged(ctx.db, rows.$dynamic(), page)
  return { data: data.map(toRoleRow), count }
}

export const selectableRoles = async (ctx: Ctx) => selectRoleNames(ctx.db, requireAccountId(ctx))

export const readRole = async (ctx: Ctx, { id }: Parsed<Api['info']>) =>
  toRoleRow(await requireRow(selectRole(ctx.db, requireAccountId(ctx), id), 'RAM_ROLE_NOT_FOUND'))
