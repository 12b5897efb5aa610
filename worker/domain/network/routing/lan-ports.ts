import { isInside, toNetwork } from '../addresses/segments.ts'
import type { DocumentMember } from '../compile/rows.ts'
import { declaredLans } from '../compile/server-segments.ts'
import type { ComparedRoute } from './actual-routes.ts'
import { LAN_DOWN, lanDown } from './route-reasons.ts'

/* Segments that a router announces although the LAN port that leads to them is down. */

/**
 * Segments of the LAN ports that are down, and of the static routes behind them.
 * @param down segments of ports that are down, `ip/mask`, as the member's row has them.
 */
export function cutSegments(
  { lans, staticRoutes }: Pick<DocumentMember, 'lans' | 'staticRoutes'>,
  down: readonly string[],
): readonly string[] {
  const open = new Set(lans.filter((lan) => !down.includes(lan)).map(toNetwork))
  const cut = lans.map(toNetwork).filter((segment) => !open.has(segment))
  const behind = staticRoutes.filter(({ via }) => cut.some((segment) => isInside(`${via}/32`, segment)))
  return declaredLans({ lans: cut, staticRoutes: behind })
}

/** Segments that cannot be reached, by the name of the router that announces them. */
export type CutSegments = ReadonlyMap<string, readonly string[]>

/** Marks the routes to such segments, and puts those of the router itself before them. Other differences stay. */
export function markCut(
  compared: readonly ComparedRoute[],
  cut: CutSegments,
  self: string,
  labelOf: (routerName: string) => string,
): readonly ComparedRoute[] {
  const own = (cut.get(self) ?? []).map((prefix): ComparedRoute => {
    const route = { prefix, from: self, via: '', state: 'chosen', rank: 1, blockedBy: null } as const
    return { prefix, route, link: null, verdict: 'unreachable', reason: LAN_DOWN }
  })
  const marked = compared.map((row): ComparedRoute => {
    const { prefix, route, verdict } = row
    const isCut = route?.state === 'chosen' && cut.get(route.from)?.includes(prefix) === true
    return isCut && verdict === 'same' ? { ...row, verdict: 'unreachable', reason: lanDown(labelOf(route.from)) } : row
  })
  return [...own, ...marked]
}
