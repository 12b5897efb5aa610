import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { isInside } from '../addresses/segments.ts'
import type { DocumentMember, NetworkRows } from '../compile/rows.ts'
import { declaredLans, nodesOf, serviceSegments } from '../compile/server-segments.ts'
import { centerLinkEnds } from '../members/links.ts'
import { type RouteGraph, type RouteRouter, isNode, routesOf, routesTo } from './effective-routes.ts'

/* Reasons why a router has no route to an address, by the rows. */

export const tunnelDown = (reason: string): string => (reason === '' ? '隧道断开' : `隧道断开：${reason}`)

/** @param row number of the prefix row that denies, from 1; 0: none permits. */
export const blockedReason = (row: number | null): string =>
  row === 0 || row === null ? '没有前缀规则允许' : `被第${row}行前缀规则拒绝`

export const NOT_ANNOUNCED = '对端未公布该网段'
export const NO_DEFAULT = '对端未公布默认路由'
export const NOT_CHOSEN = '首选路径未生效'
export const LAN_DOWN = 'LAN接口未连接'

/** @param label of the router whose port is down. */
export const lanDown = (label: string): string => `${label}的${LAN_DOWN}`

/** @param peer label of the router that announces the route, which the device has lost. */
export const lostReason = (peer: string): string => `对端${peer}有该路由，本设备的路由表中缺失`

const UNDECLARED = '没有成员公布覆盖该地址的网段'
const NO_DEFAULT_RECEIVED = '本成员未接收默认路由'
const NO_DEFAULT_GIVEN = '没有成员公布默认路由'
const TWIN_OFF = '双中心互通已关闭'
const NO_AREA = '未接入POP区域'

export interface ReasonPorts {
  readonly labelOf: (routerName: string) => string
  /** True for an address of the internet, which only a default route reaches. */
  readonly isOutside: boolean
}

/** The first reason that fits. The router has no route to the address that is not blocked. */
export function routeReason(
  network: NetworkRows,
  graph: RouteGraph,
  self: RouteRouter,
  destination: string,
  { labelOf, isOutside }: ReasonPorts,
): string {
  if (isOutside) return defaultReason(network, self)
  const covers = (segment: string) => isInside(`${destination}/32`, segment)
  const declaring = network.members.filter(
    (member) => member.routerType === ROUTER_TYPE.hardware && segmentsOf(member).some(covers),
  )
  const [first] = declaring
  const blocked = routesTo(routesOf(network, graph, self), destination).find(({ state }) => state === 'blocked')
  if (blocked) return blockedReason(blocked.blockedBy)
  if (!first) return UNDECLARED
  if (declaring.every(({ isLeftOut }) => isLeftOut)) return `成员“${labelOf(first.routerName)}”已停用`
  const origin = declaring.find(({ isLeftOut }) => isLeftOut !== true) ?? first
  if (isTwinOff(network, self, origin)) return TWIN_OFF
  if (lacksArea(network, self, origin)) return NO_AREA
  return `与成员“${labelOf(origin.routerName)}”之间没有链路`
}

/** LANs of a member, and the software segment of a centre. */
const segmentsOf = (member: DocumentMember): readonly string[] =>
  isCenter(member) ? [...declaredLans(member), serviceSegments(member).software] : declaredLans(member)

function defaultReason({ members }: NetworkRows, self: RouteRouter): string {
  if (isNode(self) || self.settings.default_route.mode !== 2) return NO_DEFAULT_RECEIVED
  return members.some(({ settings }) => settings.default_route.mode === 1) ? UNREACHED_DEFAULT : NO_DEFAULT_GIVEN
}
const UNREACHED_DEFAULT = '没有到公布默认路由的成员的链路'

const isCenter = (router: RouteRouter): boolean => !isNode(router) && router.memberType === 'center'

/** Both are centres, the only ones, and the link between them is off. */
function isTwinOff({ members, settings }: NetworkRows, self: RouteRouter, origin: DocumentMember): boolean {
  const centers = members.filter(({ memberType }) => memberType === 'center')
  const areTwins = centers.length === 2 && isCenter(self) && isCenter(origin)
  return areTwins && centerLinkEnds(settings.center_link, members) === null
}

/** The network has nodes, and one of the two dials none. */
const lacksArea = (network: NetworkRows, self: RouteRouter, origin: DocumentMember): boolean =>
  (network.popNodes ?? []).length > 0 &&
  [self, origin].some((one) => !isNode(one) && nodesOf(network, one).length === 0)
