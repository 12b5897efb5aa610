import { useMemo } from 'react'
import type { LinkView } from '../../../../worker/contract/protocol.ts'
import { isTrouble } from '../../../../worker/domain/health/member.ts'
import { findSingles } from '../../../../worker/domain/health/network.ts'
import { memberLabel } from '../../../lib/member-label.ts'
import type { Member, Projection } from '../projection.ts'
import type { FoldKind, TopologyShape } from './model.ts'

/** What the drawing shows of states: computed once for each change of the projection. */
export interface Verdicts {
  /** Points with exactly one way to a centre left. */
  readonly singles: ReadonlySet<string>
  /** Members in trouble, or with a link that is down or one-sided: never folded. What an absent centre explains is none. */
  readonly abnormal: ReadonlySet<string>
}

export function judge({ members, links }: Pick<Projection, 'members' | 'links'>): Verdicts {
  const singles = findSingles(links, new Map(members.map((member) => [member.router_name, member])))
  const abnormal = new Set<string>()
  for (const { state, router_name } of links) if (state === 'down' || state === 'one_sided') abnormal.add(router_name)
  for (const { router_name, router_type, presence, config } of members)
    if (isTrouble(router_type, presence.state, config.state)) abnormal.add(router_name)
  return { singles, abnormal }
}

export function toTopologyShape(
  members: readonly Member[],
  links: readonly LinkView[],
  popName: string,
  { abnormal, singles }: Verdicts,
): TopologyShape {
  return {
    popName,
    members: members.map((member) => ({
      name: member.router_name,
      label: memberLabel(member),
      role: member.member_type,
      routerType: member.router_type,
      fold: abnormal.has(member.router_name) ? null : foldKind(member, singles),
    })),
    links: links.map(({ id, router_name, center_router_name }) => ({
      id,
      client: router_name,
      server: center_router_name,
    })),
  }
}

/** What is neither a fault nor 正常 folds apart. */
function foldKind({ presence, router_name }: Member, singles: ReadonlySet<string>): FoldKind {
  if (presence.state === 'never' || presence.state === 'disabled') return presence.state
  return singles.has(router_name) ? 'single' : 'ok'
}

/** Memoized by value: what is equal keeps its identity, so that nothing is drawn again. */
export function useStable<T>(value: T): T {
  const key = useMemo(() => JSON.stringify(value), [value])
  // eslint-disable-next-line react/exhaustive-deps -- the key is the value
  return useMemo(() => value, [key])
}
