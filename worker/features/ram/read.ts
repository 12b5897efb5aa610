import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { ramApi } from '#contract/ram/index.ts'
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

export const readRamDomain = (ctx: Ctx): Promise<Output<Api['domain']>> =>
  requireRow(selectRamDomain(ctx.db, requireAccountId(ctx)), 'SESSION_REVOKED')

export const readRamQuota = (ctx: Ctx): Promise<Output<Api['quantity']>> =>
  requireRow(selectRamQuota(ctx.db, requireAccountId(ctx), ctx.now), 'SESSION_REVOKED')

export const listRams = (ctx: Ctx, { search, ...page }: Parsed<Api['lists']>) =>
  paged(ctx.db, selectRams(ctx.db, requireAccountId(ctx), search, ctx.now).$dynamic(), page)

export const readRam = (ctx: Ctx, { id }: Parsed<Api['info']>) =>
  requireRow(selectRam(ctx.db, requireAccountId(ctx), id, ctx.now), 'RAM_NOT_FOUND')

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

export async function listRamLog(ctx: Ctx, input: Parsed<Api['log']>) {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const { ram_id: ramId, start_time: start, end_time: to = now } = input
  const rows = selectRamLog(db, accountId, { ramId, from: start ?? to - LOG_RANGE_MS, to })
  const { rams, data, total } = await batch(db, {
    rams: selectRam(db, accountId, ramId, now),
    ...selectPage(db, rows.$dynamic(), input),
  })
  if (!rams[0]) return refuse('RAM_NOT_FOUND')
  const lines = data.map((line) => ({
    ...line,
    module_name: moduleWord(line.module),
    action_name: actionWord(line.action),
  }))
  return { data: lines, count: total[0]?.[0] ?? 0 }
}
