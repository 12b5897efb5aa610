import type { Extra, Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { RamRow, ramApi } from '#contract/ram/index.ts'
import { batch } from '#db/batch.ts'
import { paged, selectPage } from '#db/paged.ts'
import { requireRow } from '#db/require-row.ts'
import { selectUserById } from '#features/account/sql/users.ts'
import { actionWord, moduleWord } from '#domain/logs/audit-words.ts'
import { type Ctx, requireAccountId } from '#http/context.ts'
import { selectRam, selectRamDomain, selectRamLog, selectRamQuota, selectRams } from './sql.ts'
import { LOG_RANGE_MS } from '#contract/logs/limits.ts'

/* Sub-accounts (子账号) of an account: list, one of them, quota, and the log of one. */

type Api = typeof ramApi
type StoredRam = Awaited<ReturnType<typeof selectRam>>[number]

const toRamRow = (row: StoredRam): RamRow => ({
  id: row.id,
  username: row.username,
  nickname: row.nickname,
  role_id: row.roleId,
  role_name: row.roleName,
  status: toWireBoolean(row.status),
  session_count: row.sessionCount,
  create_time: row.createdAt,
  login_time: row.loginAt,
})

export const readRamDomain = (ctx: Ctx): Promise<Output<Api['domain']>> =>
  requireRow(selectRamDomain(ctx.db, requireAccountId(ctx)), 'SESSION_REVOKED')

export const readRamQuota = (ctx: Ctx): Promise<Output<Api['quantity']>> =>
  requireRow(selectRamQuota(ctx.db, requireAccountId(ctx), ctx.now), 'SESSION_REVOKED')

export async function listRams(
  ctx: Ctx,
  { search, ...page }: Parsed<Api['lists']>,
): Promise<{ data: Output<Api['lists']> } & Extra<Api['lists']>> {
  const rows = selectRams(ctx.db, requireAccountId(ctx), search, ctx.now)
  const { data, count } = await paged(ctx.db, rows.$dynamic(), page)
  return { data: data.map(toRamRow), count }
}

export async function readRam(ctx: Ctx, { id }: Parsed<Api['info']>): Promise<RamRow> {
  return toRamRow(await requireRow(selectRam(ctx.db, requireAccountId(ctx), id, ctx.now), 'RAM_NOT_FOUND'))
}

export async function requireRamUser(ctx: Ctx, id: number) {
  const [user] = await selectUserById(ctx.db, requireAccountId(ctx), id)
  return toRamUser(user)
}

export type RamUser = ReturnType<typeof toRamUser>

/** Refuses the main account's own row, which comes back for an unknown sub-account. */
export function toRamUser(user: Awaited<ReturnType<typeof selectUserById>>[number] | undefined) {
  if (!user || user.ramId === null) return refuse('RAM_NOT_FOUND')
  return { ...user, ramId: user.ramId }
}

export async function listRamLog(
  ctx: Ctx,
  { ram_id: ramId, page, limit, start_time: start, end_time: to = ctx.now }: Parsed<Api['log']>,
): Promise<{ data: Output<Api['log']> } & Extra<Api['log']>> {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const rows = selectRamLog(db, accountId, { ramId, from: start ?? to - LOG_RANGE_MS, to })
  const { rams, data, total } = await batch(db, {
    rams: selectRam(db, accountId, ramId, now),
    ...selectPage(db, rows.$dynamic(), { page, limit }),
  })
  if (!rams[0]) return refuse('RAM_NOT_FOUND')
  const lines = data.map(({ module, action, message, at }) => ({
    module,
    module_name: moduleWord(module),
    action,
    action_name: actionWord(action),
    message,
    create_time: at,
  }))
  return { data: lines, count: total[0]?.[0] ?? 0 }
}
