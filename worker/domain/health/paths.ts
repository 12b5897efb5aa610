import type { MemberPaths } from '#contract/kernel/health.ts'
import type { LinkView, PresenceState } from '#contract/kernel/protocol.ts'
import { type Path, countLinks, countOpened, isSingleCenter } from './link.ts'

/* Links of members: how many are up or unknown, and 单中心 (single centre). */

type Link = Pick<LinkView, 'router_name' | 'center_router_name' | 'kind' | 'state'>

export const NO_PATHS: MemberPaths = { up: 0, unknown: 0, total: 0, single_center: 0 }

/**
 * Links of each member, by name, as its table lists them: those to POP nodes and between centres count, too. Only a point
 * with links to centres can be in 单中心.
 */
export function findPaths(
  links: readonly Link[],
  presenceOf: (routerName: string) => PresenceState | undefined,
): ReadonlyMap<string, MemberPaths> {
  const [all, toCenters] = [new Map<string, Path[]>(), new Map<string, Path[]>()]
  for (const { router_name, center_router_name, kind, state } of links) {
    const path = { state, center: presenceOf(center_router_name) ?? 'never' }
    add(all, router_name, path)
    if (kind !== 'pop') add(all, center_router_name, path)
    if (kind === undefined) add(toCenters, router_name, path)
  }
  return new Map(
    [...all].map(([name, paths]) => {
      const single_center = isSingleCenter(toCenters.get(name) ?? []) ? 1 : 0
      return [name, { ...countOpened(countLinks(paths)), single_center }]
    }),
  )
}

function add(paths: Map<string, Path[]>, name: string, path: Path): void {
  const known = paths.get(name)
  if (known) known.push(path)
  else paths.set(name, [path])
}

/** Paths that a hub of the release before has pushed have no number of unknown ones. */
type PushedPaths = Omit<MemberPaths, 'unknown'> & Partial<Pick<MemberPaths, 'unknown'>>

/** Sums a member's paths over its networks; 单中心 in one of them is enough. */
export const sumPaths = (paths: readonly PushedPaths[]): MemberPaths =>
  paths.reduce<MemberPaths>(
    (sum, { up, unknown = 0, total, single_center }) => ({
      up: sum.up + up,
      unknown: sum.unknown + unknown,
      total: sum.total + total,
      single_center: single_center === 1 ? 1 : sum.single_center,
    }),
    NO_PATHS,
  )
