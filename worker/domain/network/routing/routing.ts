import { type Violation, violation } from '#contract/kernel/result.ts'
import { SAME_ROUTERS, type PrefixRow, isRestRow } from '#contract/network/fields.ts'
import { DEFAULT_ROUTE_METRICS, PREFIX } from '#contract/network/limits.ts'
import type { NetworkSettings, MemberSettings } from '#contract/network/settings.ts'
import { alignAddress } from '#contract/kernel/ipv4.ts'
import { parseRange } from '../addresses/segments.ts'
import type { NamedNode } from '../members/links.ts'
import { findMember } from '../members/member-name.ts'

/* Rules of routing settings: prefixes, main and secondary router, default route, features, DNS. */

/** Aligns each network number to its mask, and lists corrections, old → new (network 5). */
export function alignPrefixes(rows: readonly PrefixRow[]) {
  const aligned = rows.map((row) => ({ ...row, ip: alignAddress(row.ip, row.mask) }))
  const corrected = rows.flatMap(({ ip, mask }, row) => {
    const to = aligned[row]?.ip ?? ip
    return to === ip ? [] : [{ row, from: `${ip}/${mask}`, to: `${to}/${mask}` }]
  })
  return { rows: aligned, corrected }
}

/** Refuses two rows with the same network number after the correction (network 5), and rows behind 其余允许. */
export function checkPrefixes(aligned: readonly PrefixRow[]): Violation | null {
  const seen = new Set<string>()
  for (const [row, { ip, mask }] of aligned.entries()) {
    const prefix = `${ip}/${mask}`
    if (seen.has(prefix)) return violation('PREFIX_TWICE', { prefix }, `prefix.${row}.ip`)
    seen.add(prefix)
  }
  const rest = aligned.findIndex((row) => isRestRow(row) && !isAdvanced(row))
  if (rest >= 0 && rest < aligned.length - 1) return violation('PREFIX_AFTER_REST', {}, `prefix.${rest}.ip`)
  return null
}

interface Span {
  readonly permission: PrefixRow['permission']
  readonly first: number
  readonly last: number
  /** Lengths of the routes that the row matches. */
  readonly ge: number
  readonly le: number
}

function toSpan({ ip, mask, permission, ge, le }: PrefixRow): Span {
  const { first, last } = parseRange(`${ip}/${mask}`) ?? { first: 0, last: -1 }
  return { permission, first, last, ge: ge ?? mask, le }
}

const holds = (outer: Span, inner: Span): boolean =>
  outer.first <= inner.first && inner.last <= outer.last && outer.ge <= inner.ge && inner.le <= outer.le

/**
 * Rows that change nothing: the first match decides, and another row with the same verdict matches all their routes. Of two
 * equal rows that is the later one.
 */
export function findContained(
  rows: readonly PrefixRow[],
): readonly { readonly row: number; readonly within: number }[] {
  const spans = rows.map(toSpan)
  return spans.flatMap((span, row) => {
    const isOpposed = ({ permission, first, last }: Span) =>
      permission !== span.permission && first <= span.last && span.first <= last
    const within = spans.findIndex((other, at) => {
      if (at === row || other.permission !== span.permission || !holds(other, span)) return false
      return at < row || (!holds(span, other) && !spans.slice(row + 1, at).some(isOpposed))
    })
    return within < 0 ? [] : [{ row, within }]
  })
}

/** True for a row that uses the advanced mode: permission, ge or le. */
export const isAdvanced = ({ permission, ge, le }: PrefixRow): boolean =>
  permission !== 'permit' || ge !== null || le !== PREFIX.leMax

/** True when rows use advanced fields that are not stored yet. An account that lost the feature keeps its rows. */
export function gainsAdvanced(next: readonly PrefixRow[], before: readonly PrefixRow[]): boolean {
  const keyOf = ({ ip, mask, permission, ge, le }: PrefixRow) => JSON.stringify([ip, mask, permission, ge, le])
  const known = new Set(before.map(keyOf))
  return next.some((row) => isAdvanced(row) && !known.has(keyOf(row)))
}

type Routing = NetworkSettings['routing']

type Router = Omit<NamedNode, 'routerType'>

/** Least number of centres that routing is configured for (network 2). */
const CENTERS_MIN = 2

export const canRoute = (members: readonly Pick<Router, 'memberType'>[]): boolean =>
  members.filter((m) => m.memberType === 'center').length >= CENTERS_MIN

/** Routing with the ids of its routers, which must be centres of the network. Shared load can always be restored. */
export function toRouting(
  form: { readonly type: 1 | 2; readonly main_router: string; readonly secondary_router: string },
  members: readonly Router[],
  before: Routing,
): { routing: Routing; refused: Violation | null } {
  const shared: Routing = { type: 1, main: null, secondary: null }
  const centers = members.filter((m) => m.memberType === 'center')
  if (form.type === 1 && before.type === 2) return { routing: shared, refused: null }
  if (!canRoute(members)) return { routing: before, refused: violation('ROUTING_NEEDS_TWO') }
  if (form.type === 1) return { routing: shared, refused: null }
  const [main, secondary] = [findMember(centers, form.main_router), findMember(centers, form.secondary_router)]
  if (!main || !secondary) {
    const field = main ? 'secondary_router' : 'main_router'
    return { routing: before, refused: violation('ROUTING_NO_CENTER', {}, field) }
  }
  if (main === secondary)
    return { routing: before, refused: violation('INPUT_INVALID', { reason: SAME_ROUTERS }, 'secondary_router') }
  return { routing: { type: 2, main: main.routerId, secondary: secondary.routerId }, refused: null }
}

/** Choosing one router selects its counterpart (network 4): the present one, or else the first other centre. */
export const findCounterpart = (chosen: string, present: string, centers: readonly string[]): string =>
  present !== chosen && centers.includes(present) ? present : (centers.find((name) => name !== chosen) ?? '')

/** Metrics 30, 60, 90, 120, 150 are shown as priority 1 to 5 (network 2). */
export const priorityOf = (metric: number): number => DEFAULT_ROUTE_METRICS.findIndex((known) => known === metric) + 1

export const DEFAULT_ROUTE_FEATURES: readonly (keyof Features)[] = ['quagga', 'defaultRoute']

/** Features that a member's default route needs; turning it off needs none. */
export const featuresOfDefaultRoute = ({ mode }: MemberSettings['default_route']): readonly (keyof Features)[] =>
  mode === 0 ? [] : DEFAULT_ROUTE_FEATURES

export interface Features {
  readonly quagga: boolean
  readonly quaggaAdvanced: boolean
  readonly defaultRoute: boolean
}

/** Names in refusals. */
const NAMES: Readonly<Record<keyof Features, string>> = {
  quagga: '动态路由',
  quaggaAdvanced: '网络号的高级设置',
  defaultRoute: '默认路由',
}

export function checkFeatures(features: Features, needed: readonly (keyof Features)[]): Violation | null {
  const missing = needed.find((feature) => !features[feature])
  return missing === undefined ? null : violation('FEATURE_NOT_ENABLED', { feature: NAMES[missing] })
}

/** Entries must fit the bought quantity. A list that is too long, because the quantity dropped, may only get shorter. */
export function checkDns(next: readonly string[], before: readonly string[], quantity: number): Violation | null {
  const isShorter = next.length < before.length
  return next.length <= quantity || isShorter ? null : violation('DNS_LIMIT_REACHED', { limit: quantity })
}
