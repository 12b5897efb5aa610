import type { EffectiveRoute } from './effective-routes.ts'
import { DEFAULT_PREFIX } from './effective-routes.ts'
import { compareText } from '#contract/kernel/compare.ts'
import type { RouteVerdict } from '#contract/network/routing.ts'
import type { ConfigState } from '#contract/kernel/protocol.ts'
import { NOT_ANNOUNCED, NOT_CHOSEN, NO_DEFAULT, blockedReason, lostReason, tunnelDown } from './route-reasons.ts'

/* Compares the effective routes of a router with those that its device has. */

/** Links of each prefix that the device has; several share the load. */
type DeviceRoutes = ReadonlyMap<string, ReadonlySet<string>>

export interface ComparedRoute {
  readonly prefix: string
  /** The route by configuration; null for one that only the device has. */
  readonly route: EffectiveRoute | null
  /** Link that the device uses for the prefix in its place; null: none, or not known. */
  readonly link: string | null
  readonly verdict: RouteVerdict
  /** Reason of a difference, or of a verdict that is not known. */
  readonly reason: string
}

export interface DeviceSide {
  /** Null: the device has not answered. */
  readonly routes: DeviceRoutes | null
  /** Routes that its BGP has chosen and its kernel lacks. */
  readonly lost: DeviceRoutes
  /** False if it has more routes than were read. */
  readonly isWhole: boolean
  readonly config: ConfigState
  readonly labelOf: (routerName: string) => string
  /** Link to the router at the other end; undefined without one. */
  readonly linkTo: (via: string) => string | undefined
  /** Reason of a link that is down; null for others. */
  readonly downReason: (linkId: string) => string | null
}

const UNDECLARED = '没有成员公布该网段'
const SETTLING = '配置下发中'
const NOT_APPLIED = '最新配置未生效'

/** Rows in the order of the routes; those that only the device has come last. */
export function compareRoutes(routes: readonly EffectiveRoute[], device: DeviceSide): readonly ComparedRoute[] {
  const unknown = unknownReason(device)
  if (device.routes === null || unknown !== null)
    return routes.map((route) => {
      const links = device.routes?.get(route.prefix)
      const link = links === undefined ? null : pick(links, device.linkTo(route.via))
      return { prefix: route.prefix, route, link, verdict: 'unknown', reason: unknown ?? '' }
    })
  const known = Map.groupBy(routes, ({ prefix }) => prefix)
  const extra = [...device.routes]
    .filter(([prefix]) => !known.has(prefix))
    .flatMap(([prefix, links]) => [...links].map((link) => toExtra(prefix, link)))
    .toSorted((a, b) => compareText(a.prefix, b.prefix))
  return [...known.values()].flatMap((same) => compareOne(same, device)).concat(extra)
}

const toExtra = (prefix: string, link: string): ComparedRoute => ({
  prefix,
  route: null,
  link,
  verdict: 'extra',
  reason: UNDECLARED,
})

function unknownReason({ routes, config }: DeviceSide): string | null {
  if (routes === null || config === 'applied') return null
  return config === 'queued' || config === 'pushing' ? SETTLING : NOT_APPLIED
}

/** The link that is asked for if it is among them, or else the first one. */
const pick = (links: ReadonlySet<string>, wanted: string | undefined): string | null =>
  wanted !== undefined && links.has(wanted) ? wanted : ([...links].toSorted(compareText)[0] ?? null)

/** Routes of one prefix. */
function compareOne(same: readonly EffectiveRoute[], device: DeviceSide): readonly ComparedRoute[] {
  const actual = device.routes?.get(same[0]?.prefix ?? '') ?? new Set<string>()
  const linkOf = ({ via }: EffectiveRoute) => device.linkTo(via)
  const isUsed = (route: EffectiveRoute) => actual.has(linkOf(route) ?? '')
  const isShared = same.some((route) => route.state === 'chosen' && isUsed(route))
  const isOpen = same.some(({ state }) => state !== 'blocked')
  const firstBlocked = isOpen ? undefined : (same.find(isUsed) ?? same[0])
  return same.map((route): ComparedRoute => {
    const used = isUsed(route)
    const row = { prefix: route.prefix, route, link: used ? (linkOf(route) ?? null) : null }
    if (route.state === 'chosen' && !used) return { ...row, ...toMissed(route, actual, isShared, device) }
    const isExtra = actual.size > 0 && route.state === 'blocked' && (used || route === firstBlocked)
    if (isExtra) {
      return { ...row, link: pick(actual, linkOf(route)), verdict: 'extra', reason: blockedReason(route.blockedBy) }
    }
    return { ...row, verdict: 'same', reason: '' }
  })
}

/** A chosen route that the device does not use. */
function toMissed(
  { prefix, via }: EffectiveRoute,
  actual: ReadonlySet<string>,
  isShared: boolean,
  { lost, labelOf, linkTo, downReason, isWhole }: DeviceSide,
): Pick<ComparedRoute, 'link' | 'verdict' | 'reason'> {
  if (actual.size === 0 && !isWhole) return { link: null, verdict: 'unknown', reason: '' }
  const id = linkTo(via)
  const down = id === undefined ? null : downReason(id)
  const isMissing = actual.size === 0 || isShared
  const absent = prefix === DEFAULT_PREFIX ? NO_DEFAULT : NOT_ANNOUNCED
  const isLost = id !== undefined && lost.get(prefix)?.has(id) === true
  const healthy = isLost ? lostReason(labelOf(via)) : isMissing ? absent : NOT_CHOSEN
  return {
    link: isMissing ? null : pick(actual, undefined),
    verdict: isMissing ? 'missing' : 'other_path',
    reason: down === null ? healthy : tunnelDown(down),
  }
}

export const isDifference = ({ verdict }: Pick<ComparedRoute, 'verdict'>): boolean =>
  verdict !== 'same' && verdict !== 'unknown'
