import { QUESTION, type QuestionAnswer, type QuestionReply } from '#contract/device/questions.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { ipNumber } from '#contract/kernel/ipv4.ts'
import { ROWS_MAX } from '#contract/kernel/limits.ts'
import type { LinkView } from '#contract/kernel/protocol.ts'
import type { networkApi } from '#contract/network/index.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { isInside } from '#domain/network/addresses/segments.ts'
import { compileOneNetwork } from '#domain/network/compile/compile.ts'
import type { DocumentMember } from '#domain/network/compile/rows.ts'
import { peerOfLink } from '#domain/network/members/links.ts'
import {
  type ComparedRoute,
  type DeviceSide,
  compareRoutes,
  isDifference,
} from '#domain/network/routing/actual-routes.ts'
import { effectiveRoutes } from '#domain/network/routing/effective-routes.ts'
import { type CutSegments, cutSegments, markCut } from '#domain/network/routing/lan-ports.ts'
import { toConfigView } from '#domain/router/presence.ts'
import { HubAway } from '#http/hub-answers.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { askNetworkHub } from '../service.ts'
import { loadSettings } from '../settings.ts'
import { selectDownLans } from '../sql/members.ts'

/* Endpoint of actual routes (路由): the effective routes of a router beside those that its device has. */

type Asked = Parsed<(typeof networkApi)['actualRoutes']>

/** Routes of one hardware member, compared with its device, which is asked now. Without its answer the intended half stays. */
export async function readActualRoutes(ctx: Ctx, { network_number, router_name, search, only }: Asked) {
  const ports = selectDownLans(ctx.db, requireSession(ctx), network_number)
  const { more, ...loaded } = await loadSettings(ctx, network_number, { ports })
  const { network, rows, members, popNodes } = loaded
  const member = loaded.requireMember(router_name)
  const { routerName: name } = member
  const self = rows.members.find((one) => one.routerName === name)
  if (self?.routerType !== ROUTER_TYPE.hardware) return refuse('HARDWARE_ONLY')
  const [device, seen] = await Promise.all([
    readDevice(ctx, member.hub, network.number),
    askNetworkHub(network.hub, () => ctx.hubs.network(network.hub).routerLinks(network.revision, name)),
  ])
  const links = new Map(seen?.links.map((link) => [link.id, link]))
  const ids = new Map(compileOneNetwork(name, rows, () => '').links.map(({ peer, id }) => [peer, id]))
  const notes = new Map([
    ...members.map(({ routerName, note }) => [routerName, note] as const),
    ...popNodes.map(({ routerName, area }) => [routerName, `POP ${area}`] as const),
  ])
  const labelOf = (routerName: string) => notes.get(routerName) || routerName
  const found = compareRoutes(effectiveRoutes(rows, self), {
    ...device,
    config: toConfigView(member.state).state,
    labelOf,
    linkTo: (via) => ids.get(via),
    downReason: (id) => downReason(links.get(id)),
  })
  const compared = markCut(found, toCut(rows.members, more.ports), name, labelOf)
  const shown = compared.filter((route) => only === '' || isDifference(route)).map((route) => toRow(route, name, notes))
  const searched = searchRows(shown, search)
  return {
    data: searched.slice(0, ROWS_MAX),
    count: searched.length,
    differences: compared.filter(isDifference).length,
    router_name: name,
    at: device.routes === null ? null : ctx.now,
    notice: device.notice,
  }
}

function toCut(members: readonly DocumentMember[], ports: Awaited<ReturnType<typeof selectDownLans>>): CutSegments {
  const down = new Map(ports.map(({ routerId, lans }) => [routerId, JSON.parse(lans) as string[]]))
  return new Map(members.map((member) => [member.routerName, cutSegments(member, down.get(member.routerId) ?? [])]))
}

const downReason = (link: LinkView | undefined): string | null =>
  link?.state === 'down' || link?.state === 'one_sided' ? link.reason : link?.state === 'never' ? '尚未建立' : null

interface DeviceRead extends Pick<DeviceSide, 'routes' | 'lost' | 'isWhole'> {
  /** Sentence about what is missing; '' for a whole answer. */
  readonly notice: string
}

const NOTICE = {
  offline: '设备离线，仅显示配置的路由',
  too_old: '设备不支持读取实际路由，仅显示配置的路由，请升级后查看',
  busy: '设备正在应答其他请求，仅显示配置的路由，请稍后刷新',
  silent: '设备未应答，仅显示配置的路由，请稍后刷新',
  refused: '设备未能读取路由，仅显示配置的路由，请稍后刷新',
} as const
const PARTIAL = '设备的路由较多，仅比较了一部分'
const PAGES_MS = 7_000 // within a request

/** Routes of the device, page by page. */
async function readDevice(ctx: Ctx, hub: HubName, number: string): Promise<DeviceRead> {
  const [routes, lost] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()]
  const begun = performance.now()
  let offset = 0
  for (let page = 0; page < QUESTION.pagesMax && performance.now() - begun < PAGES_MS; page += 1) {
    const reply = await askPage(ctx, hub, number, offset)
    if (reply.state !== 'answered') return { routes: null, lost, isWhole: false, notice: NOTICE[reply.state] }
    const { rows, lost: lacking = [], links, total } = reply.data
    addRoutes(routes, rows, links)
    addRoutes(lost, lacking, links)
    const read = rows.length + lacking.length
    offset += read
    if (offset >= total || read === 0) return { routes, lost, isWhole: offset >= total, notice: '' }
  }
  return { routes, lost, isWhole: false, notice: PARTIAL }
}

type Page = QuestionAnswer<'routes'>

function addRoutes(routes: Map<string, Set<string>>, rows: Page['rows'], links: Page['links']): void {
  for (const [prefix, index] of rows) {
    const id = links[index]
    if (id !== undefined) routes.set(prefix, (routes.get(prefix) ?? new Set()).add(id))
  }
}

/** A hub that does not answer is like a device that does not: the configured half is shown. */
async function askPage(
  ctx: Ctx,
  hub: HubName,
  network_number: string,
  offset: number,
): Promise<QuestionReply<'routes'>> {
  try {
    const reply = await ctx.hubs.router(hub).ask({ kind: 'routes', network_number, offset })
    return reply as QuestionReply<'routes'> // the hub has parsed it
  } catch (error) {
    if (error instanceof HubAway) return { state: 'silent' }
    throw error
  }
}

function toRow(
  { prefix, route, link, verdict, reason }: ComparedRoute,
  self: string,
  notes: ReadonlyMap<string, string>,
) {
  const noteOf = (name: string) => notes.get(name) ?? ''
  const peer = link === null ? null : peerOfLink(link, self)
  const actual = link === null || peer === null ? null : { via: peer, via_note: noteOf(peer), link }
  const intended = route
    ? { router_name: route.from, via: route.via, state: route.state, rank: route.rank, blocked_by: route.blockedBy }
    : { router_name: '', via: '', state: null, rank: null, blocked_by: null }
  const { router_name, via } = intended
  return { prefix, ...intended, router_name_note: noteOf(router_name), via_note: noteOf(via), actual, verdict, reason }
}

type Row = ReturnType<typeof toRow>

/** Searches by an address, the longest prefix first, or by part of a prefix, a name or a note. */
function searchRows(rows: readonly Row[], search: string): readonly Row[] {
  if (ipNumber(search) !== null) {
    const covering = rows.filter(({ prefix }) => isInside(`${search}/32`, prefix))
    return covering.toSorted((a, b) => lengthOf(b) - lengthOf(a))
  }
  const part = search.toLowerCase()
  const textOf = ({ prefix, router_name, router_name_note, via, via_note, actual }: Row) =>
    [prefix, router_name, router_name_note, via, via_note, actual?.via, actual?.via_note].join(' ').toLowerCase()
  return part === '' ? rows : rows.filter((row) => textOf(row).includes(part))
}

const lengthOf = ({ prefix }: Row): number => Number(prefix.split('/')[1])
