import type { MemberPaths } from '#contract/kernel/health.ts'
import type { LinkView, PresenceState } from '#contract/kernel/protocol.ts'
import { type Path, isSingleCenter } from './link.ts'

/* Paths of members to centres: how many are up, and 单中心 (single centre). */

type Link = Pick<LinkView, 'router_name' | 'center_router_name' | 'kind' | 'state'>

export const NO_PATHS: MemberPaths = { up: 0, total: 0, single_center: 0 }

/**
 * Paths of each member with links, by name. Paths of a centre lead to its points; only a point with centres can be in 单中心.
 * Links between centres and to POP nodes are no paths. Links between members count for both ends.
 */
export function findPaths(
  links: readonly Link[],
  presenceOf: (routerName: string) => PresenceState | undefined,
): ReadonlyMap<string, MemberPaths> {
  const [ofPoints, ofOthers] = [new Map<string, Path[]>(), new Map<string, Path[]>()]
  for (const { router_name, center_router_name, kind, state } of links) {
    if (kind === 'center' || kind === 'pop') continue
    const path = { state, center: presenceOf(center_router_name) ?? 'never' }
    add(kind === 'point' ? ofOthers : ofPoints, router_name, path)
    add(ofOthers, center_router_name, path)
  }
  const entries = [
    ...[...ofOthers].map(([name, paths]) => [name, countPaths(paths)] as const),
    ...[...ofPoints].map(
      ([name, paths]) => [name, { ...countPaths(paths), single_center: isSingleCenter(paths) ? 1 : 0 }] as const,
    ),
  ]
  return new Map(entries)
}

/** Leaves out paths with an end that never came online. */
function countPaths(paths: readonly Path[]): MemberPaths {
  const opened = paths.filter(({ state }) => state !== 'never')
  return { ...NO_PATHS, total: opened.length, up: opened.filter(({ state }) => state === 'up').length }
}

function add(paths: Map<string, Path[]>, name: string, path: Path): void {
  const known = paths.get(name)
  if (known) known.push(path)
  else paths.set(name, [path])
}

/** Sums a member's paths over its networks; 单中心 in one of them is enough. */
export const sumPaths = (paths: readonly MemberPaths[]): MemberPaths =>
  paths.reduce(
    (sum, { up, total, single_center }) => ({
      up: sum.up + up,
      total: sum.total + total,
      single_center: single_center === 1 ? 1 : sum.single_center,
    }),
    NO_PATHS,
  )
