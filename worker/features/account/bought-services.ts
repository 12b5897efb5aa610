import type { Output } from '#contract/kernel/endpoint.ts'
import type { ServiceKind } from '#contract/account/services.ts'
import { batch } from '#db/batch.ts'
import { type Page, selectPage } from '#db/paged.ts'
import { selectUsage } from '#db/quota.ts'
import { STOPS_AT_EXPIRY, serviceState } from '#domain/account/service.ts'
import { daysUntil } from '#domain/network-fr/resource.ts'
import { type Ctx, requireAccountId } from '#http/context.ts'
import type { accountApi } from '#contract/account/index.ts'
import { selectServices } from './sql/accounts.ts'

/* Services that an account has: the list with state, days left and quota. */

type Row = Output<typeof accountApi.service>[number]
type Usage = Awaited<ReturnType<typeof selectUsage>>[number]

export async function listServices(ctx: Ctx, page: Page): Promise<{ data: Row[]; count: number }> {
  const { db, now } = ctx
  const accountId = requireAccountId(ctx)
  const { data, total, usage } = await batch(db, {
    ...selectPage(db, selectServices(db, accountId).$dynamic(), page),
    usage: selectUsage(db, accountId, now),
  })
  const rows = data.map(({ kind, name, quantity, startAt, expireAt }) => ({
    service_name: name,
    quantity,
    start_time: startAt,
    expired_time: expireAt,
    kind,
    state: serviceState({ startAt, expireAt }, now),
    days_left: daysUntil(expireAt, now),
    quota: usage[0] ? toQuota(kind, usage[0]) : null,
    stops: STOPS_AT_EXPIRY[kind],
  }))
  return { data: rows, count: total[0]?.[0] ?? 0 }
}

/** Null for centres, which are limited in each network, and for bandwidth, which is not counted yet. */
function toQuota(kind: ServiceKind, usage: Usage): Row['quota'] {
  if (kind === 'network_member') return { used: usage.seatsUsed, total: usage.seats }
  if (kind === 'software_member') return { used: usage.softwareUsed, total: usage.software }
  if (kind === 'sub_account') return { used: usage.subAccountsUsed, total: usage.subAccounts }
  return null
}
