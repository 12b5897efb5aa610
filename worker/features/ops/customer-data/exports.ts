import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { SERIES, TRAFFIC_RANGE, type TrafficRange } from '#contract/kernel/hub-limits.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { DAY_MS } from '#contract/kernel/time.ts'
import { FILE_TYPES, type FileType } from '#contract/file/index.ts'
import type { opsApi } from '#contract/ops/index.ts'
import { EXPORT } from '#contract/ops/limits.ts'
import { ACCOUNT_TABLES } from '#db/schema/account-tables.ts'
import { batch } from '#db/batch.ts'
import { mapLimit } from '#db/concurrency.ts'
import { requireRow } from '#db/require-row.ts'
import { objectName } from '#domain/file/upload.ts'
import type { Ctx } from '#http/context.ts'
import type { FileReply } from '#http/file-reply.ts'
import { HubAway } from '#http/hub-answers.ts'
import { askNetworkHub } from '#features/network/service.ts'
import { requireAccount } from '../accounts.ts'
import { operatorAudit } from '../audit.ts'
import {
  type JoinedNetwork,
  exportedColumns,
  selectCounts,
  selectExported,
  selectFile,
  selectNextNetwork,
  selectNextRouter,
} from '../sql/exports.ts'

/* Export of an account: its rows without secrets, what its hubs keep, and its files, in pages. */

type Api = typeof opsApi
type Rows = Output<Api['accountExportRows']>
type SeriesPage = Output<Api['accountExportSeries']>

/** Begins an export, which the account sees in its log. */
export async function beginExport(
  ctx: Ctx,
  { account }: Parsed<Api['accountExport']>,
): Promise<Output<Api['accountExport']>> {
  const { id } = await requireAccount(ctx, account)
  const entry = { action: 'account/export', target: account, message: '运营导出账号数据' }
  const { audit: _, ...counts } = await batch(ctx.db, {
    audit: operatorAudit(ctx, id, entry),
    ...selectCounts(ctx.db, id),
  })
  const rows = counts as Readonly<Record<string, readonly [number][]>>
  return { account_id: id, tables: ACCOUNT_TABLES.map(({ name }) => ({ name, rows: rows[name]?.[0]?.[0] ?? 0 })) }
}

export async function exportRows(ctx: Ctx, input: Parsed<Api['accountExportRows']>): Promise<Rows> {
  const table =
    ACCOUNT_TABLES.find(({ name }) => name === input.table) ??
    refuse('INPUT_INVALID', { reason: '没有该数据表' }, 'table')
  const { id } = await requireAccount(ctx, input.account)
  const [value = 0, after = 0] = (input.after ?? '0:0').split(':').map(Number)
  const found = await selectExported(ctx.db, table, id, [value, after], EXPORT.rows)
  const columns = exportedColumns(table)
  const rows = found.map(([, , ...values]) =>
    Object.fromEntries(columns.map((column, i) => [column, values[i] ?? null])),
  )
  const last = found.at(-1)
  return { rows, next: last && found.length === EXPORT.rows ? `${last[1]}:${last[0]}` : null }
}

export async function exportFile(ctx: Ctx, { account, key }: Parsed<Api['accountExportFile']>): Promise<FileReply> {
  const { id } = await requireAccount(ctx, account)
  const { name, type } = await requireRow(selectFile(ctx.db, id, key), 'FILE_NOT_FOUND')
  const object = (await ctx.files.get(objectName(key))) ?? refuse('FILE_NOT_FOUND')
  return { body: object.body, type: FILE_TYPES[type as FileType].mediaType, name }
}

/** One hub in each call; `after` is the id of the row before, of the account's hub the number of pages before. */
export async function exportSeries(
  ctx: Ctx,
  { account, kind, after }: Parsed<Api['accountExportSeries']>,
): Promise<SeriesPage> {
  const { id, hub } = await requireAccount(ctx, account)
  if (kind === 'account') return exportAlerts(ctx, hub, after + 1)
  return kind === 'router' ? exportRouter(ctx, { id, hub }, after) : exportNetwork(ctx, id, after)
}

async function exportRouter(
  ctx: Ctx,
  account: { readonly id: number; readonly hub: HubName },
  after: number,
): Promise<SeriesPage> {
  const [router] = await selectNextRouter(ctx.db, account.id, after)
  if (!router) return { series: [], next: null }
  const read = () => readRouter(ctx, account.hub, router)
  return { series: [await readHub({ router_name: router.name }, read)], next: router.id }
}

/** Record of a hub. One that does not answer is named as unreadable, so that the others can be exported. */
async function readHub(named: Readonly<Record<string, unknown>>, read: () => Promise<object>) {
  try {
    return { ...named, ...(await read()) }
  } catch (error) {
    if (!(error instanceof HubAway)) throw error
    return { ...named, unreadable: true }
  }
}

type Router = Awaited<ReturnType<typeof selectNextRouter>>[number]

async function readRouter(ctx: Ctx, accountHub: HubName, { name, hub, isSaas, networks }: Router) {
  const rpc = ctx.hubs.router(hub)
  const traffic = await Promise.all(
    windowsBefore(ctx.now).map(async ({ range, at }) => ({
      range,
      step_ms: TRAFFIC_RANGE[range].stepMs,
      ...(await rpc.trafficSeries(range, at)),
    })),
  )
  const times = { from: ctx.now - SERIES.days * DAY_MS, to: ctx.now }
  const flows = isSaas ? await Promise.all(FLOW_KINDS.map((kind) => rpc.flowSeries({ kind, ...times }))) : []
  const links = await exportLinks(ctx, name, hub, JSON.parse(networks) as JoinedNetwork[])
  const flowsByKind = Object.fromEntries(flows.map((series, i) => [FLOW_KINDS[i], series]))
  const transitions = await ctx.hubs.account(accountHub).routerTransitions(hub)
  return { transitions, traffic, links, ...(isSaas && { flows: flowsByKind }) }
}

const FLOW_KINDS = ['apps', 'sources'] as const

/** Ranges around a time that cover all that a router's hub keeps: days by five minutes, then months. */
function windowsBefore(now: number): readonly { readonly range: TrafficRange; readonly at: number }[] {
  const windows = (range: TrafficRange, count: number) =>
    Array.from({ length: count }, (_, i) => ({ range, at: now - (i + 0.5) * TRAFFIC_RANGE[range].spanMs }))
  const months = Math.ceil((SERIES.days * DAY_MS) / TRAFFIC_RANGE.month.spanMs)
  return [...windows('day', SERIES.slotDays + 1), ...windows('month', months)]
}

/** Latency and loss of the links that a router dials; the other end keeps the same. */
async function exportLinks(ctx: Ctx, name: string, hub: string, networks: readonly JoinedNetwork[]) {
  const found = await Promise.all(
    networks.map(([of, revision]) => askNetworkHub(of, () => ctx.hubs.network(of).routerLinks(revision, name))),
  )
  const links = found.flatMap((answer) => {
    if (answer === null) throw new HubAway('network', null)
    return answer.links
  })
  const dialled = links.filter(({ router_name }) => router_name === name)
  const series = await mapLimit(dialled, EXPORT.linksAtOnce, async ({ id }) => ({
    id,
    ...(await ctx.hubs.router(hub).linkSeries(id, 'month')),
  }))
  return series.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}

async function exportNetwork(ctx: Ctx, accountId: number, after: number): Promise<SeriesPage> {
  const [network] = await selectNextNetwork(ctx.db, accountId, after)
  if (!network) return { series: [], next: null }
  const read = () => readDiagnoses(ctx, network.hub)
  return { series: [await readHub({ network_number: network.number }, read)], next: network.id }
}

async function readDiagnoses(ctx: Ctx, hub: HubName) {
  const rpc = ctx.hubs.network(hub)
  const diagnoses: unknown[] = []
  for (let page = 1; ; page++) {
    const { rows, count } = await rpc.diagnoses(page, EXPORT.records)
    for (const { job_id } of rows) diagnoses.push(await rpc.diagnosis(job_id))
    if (rows.length === 0 || page * EXPORT.records >= count) break
  }
  return { diagnoses }
}

/** A page of alerts and one of deliveries, of the last 90 days. */
async function exportAlerts(ctx: Ctx, hub: HubName, page: number): Promise<SeriesPage> {
  const rpc = ctx.hubs.account(hub)
  const all = { networks: null, page, limit: EXPORT.records } as const
  let isLast = true
  const read = async () => {
    const alerts = await rpc.alerts({ ...all, search: '', status: '', rule: '' })
    const deliveries = await rpc.alertDeliveries({ ...all, channel: '', state: '', alertId: '', target: '' })
    isLast = page * EXPORT.records >= Math.max(alerts.count, deliveries.count)
    return { alerts: alerts.rows, deliveries: deliveries.rows }
  }
  const series = [await readHub({ page }, read)]
  return { series, next: isLast ? null : page }
}
