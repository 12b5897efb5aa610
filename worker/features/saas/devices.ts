import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { FlowQuestion } from '#contract/kernel/hubs.ts'
import { coversNetwork } from '#contract/kernel/permissions.ts'
import type { saasApi } from '#contract/saas/index.ts'
import { SAAS } from '#contract/saas/limits.ts'
import { batch } from '#db/batch.ts'
import { selectPage } from '#db/paged.ts'
import { requireRow } from '#db/require-row.ts'
import { selectNetworksByRouter } from '#features/router/sql/routers.ts'
import { findWanAddress, parseInterfaces } from '#domain/router/interfaces.ts'
import { checkBandwidth } from '#domain/saas/bandwidth.ts'
import { toDeviceView, checkHistory, toHistory } from '#domain/saas/view.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { selectDeviceFacts, selectPresences, selectSaasDevice, selectSaasDevices, selectDeviceToEdit } from './sql.ts'
import { saveBandwidth } from './service.ts'

/* SaaS devices of an account: list, one device, its presences and traffic, and the change of its bandwidth. */

type Api = typeof saasApi
/** Name for unknown traffic, and for all beyond the largest. */
const REST_NAME = '其他'

export async function listSaas(ctx: Ctx, { search }: Parsed<Api['router']>): Promise<Output<Api['router']>> {
  const rows = await selectSaasDevices(ctx.db, requireSession(ctx), search)
  return rows.map((row) => toDeviceView(row, ctx.now))
}

export async function saasInfo(ctx: Ctx, { router_name }: Parsed<Api['info']>): Promise<Output<Api['info']>> {
  const scope = requireSession(ctx)
  const found = await batch(ctx.db, {
    devices: selectSaasDevice(ctx.db, scope, router_name),
    facts: selectDeviceFacts(ctx.db, scope, router_name),
    networks: selectNetworksByRouter(ctx.db, scope, router_name),
  })
  const [device = refuse('SAAS_NOT_FOUND')] = found.devices
  const [{ hub, ...shown } = refuse('SAAS_NOT_FOUND')] = found.facts
  const { since, upload, download, countsFlows } = await ctx.hubs.router(hub).presenceTraffic()
  return {
    ...toDeviceView(device, ctx.now),
    ...shown,
    router_ipv4: findWanAddress(parseInterfaces(device.interfaces)),
    input: upload,
    out: download,
    online_time: since,
    analysis: toWireBoolean(countsFlows),
    network: found.networks
      .filter(({ number }) => coversNetwork(scope.grants, number))
      .map(({ number, name, memberCount }) => ({
        network_number: number,
        network_name: name,
        network_member_count: memberCount,
      })),
  }
}

/** Presences of a device. The volumes of the present one are in the hub. */
export async function listPresences(ctx: Ctx, { router_name, search, ...page }: Parsed<Api['connect']>) {
  const scope = requireSession(ctx)
  const { device, data, total } = await batch(ctx.db, {
    device: selectDeviceFacts(ctx.db, scope, router_name),
    ...selectPage(ctx.db, selectPresences(ctx.db, scope, router_name, search).$dynamic(), page),
  })
  const [facts = refuse('SAAS_NOT_FOUND')] = device
  const hasOpen = data.some(({ stopAt }) => stopAt === null)
  const present = hasOpen ? await ctx.hubs.router(facts.hub).presenceTraffic() : null
  const rows = data.map(({ ip, origin, startAt, stopAt, upload, download }) => {
    const lasts = stopAt === null && present?.since === startAt
    return {
      ip,
      origin,
      input: lasts ? present.upload : upload,
      out: lasts ? present.download : download,
      session_date: lasts || stopAt !== null ? Math.round(((stopAt ?? ctx.now) - startAt) / 1000) : null,
      online_time: startAt,
      stop_time: stopAt,
    }
  })
  return { data: rows, count: total[0]?.[0] ?? 0 }
}

type TrafficInput = Parsed<Api['traffic']>

async function requireHistory(ctx: Ctx, { router_name, ...dates }: TrafficInput, defaultMs: number) {
  const range = toHistory(dates, defaultMs, ctx.now)
  throwIf(checkHistory(range, ctx.now))
  const [device] = await selectDeviceFacts(ctx.db, requireSession(ctx), router_name)
  return { range, hub: ctx.hubs.router(device?.hub ?? refuse('SAAS_NOT_FOUND')) }
}

export async function saasTraffic(ctx: Ctx, input: TrafficInput): Promise<Output<Api['traffic']>> {
  const { range, hub } = await requireHistory(ctx, input, SAAS.chartMs)
  const { step_ms, points } = await hub.wanTraffic(range)
  return { step_ms, points: [...points] }
}

const named = <T extends { readonly name: string }>(row: T): T => ({ ...row, name: row.name || REST_NAME })

export const readAppFlows = (ctx: Ctx, input: Parsed<Api['appLog']>) => readFlowChart(ctx, 'apps', input)

export const readTopApps = (ctx: Ctx, input: Parsed<Api['appLogTop']>) => readLargestFlows(ctx, 'apps', input)

export const readSourceFlows = (ctx: Ctx, input: Parsed<Api['origScrLog']>) => readFlowChart(ctx, 'sources', input)

export const readTopSources = (ctx: Ctx, input: Parsed<Api['origScrLogTop']>) => readLargestFlows(ctx, 'sources', input)

async function readFlowChart(ctx: Ctx, kind: FlowQuestion['kind'], input: TrafficInput) {
  const { range, hub } = await requireHistory(ctx, input, SAAS.chartMs)
  const { step_ms, series, uncounted } = await hub.flowSeries({ ...range, kind })
  return { data: { step_ms, series: series.map((one) => named({ ...one, points: [...one.points] })) }, uncounted }
}

/** Largest flows by application or by LAN address. The hub counts hundredths of a percent. */
async function readLargestFlows(ctx: Ctx, kind: FlowQuestion['kind'], input: TrafficInput) {
  const { range, hub } = await requireHistory(ctx, input, SAAS.topMs)
  const { rows, uncounted } = await hub.flowTop({ ...range, kind })
  return { data: rows.map((row) => named({ ...row, share: row.share / 100 })), uncounted }
}

export async function editBandwidth(ctx: Ctx, { router_name, bandwidth }: Parsed<Api['bandwidth']>): Promise<void> {
  const { db, now } = ctx
  const device = await requireRow(selectDeviceToEdit(db, requireSession(ctx), router_name), 'SAAS_NOT_FOUND')
  if (device.shared === 1) return refuse('ROUTER_SHARED')
  throwIf(checkBandwidth(device, bandwidth, now))
  await saveBandwidth(ctx, device, bandwidth, { module: 'saas', message: `修改SaaS设备“${device.name}”的带宽` })
}
