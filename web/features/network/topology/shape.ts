import { useMemo } from 'react'
import type { LinkView } from '../../../../worker/contract/protocol.ts'
import { isTrouble } from '../../../../worker/domain/health/member.ts'
import { memberLabel } from '../../../lib/member-label.ts'
import type { Member, Projection } from '../projection.ts'
import type { TopologyShape } from './layout.ts'

/** Members in trouble, links that are not up though both ends came once, and the ends of those. */
export function onlyAbnormal({
  members,
  links,
}: Pick<Projection, 'members' | 'links'>): Pick<Projection, 'members' | 'links'> {
  const bad = links.filter(({ state }) => state !== 'up' && state !== 'never')
  const touched = new Set(bad.flatMap((link) => [link.router_name, link.center_router_name]))
  const isBad = ({ presence, config, router_type, router_name }: Member) =>
    touched.has(router_name) || isTrouble(router_type, presence.state, config.state)
  return { members: members.filter(isBad), links: bad }
}

export function toTopologyShape(
  members: readonly Member[],
  links: readonly LinkView[],
  popName: string,
): TopologyShape {
  return {
    popName,
    members: members.map((member) => ({
      name: member.router_name,
      label: memberLabel(member),
      role: member.member_type,
      routerType: member.router_type,
    })),
    links: links.map(({ id, router_name, center_router_name }) => ({
      id,
      client: router_name,
      server: center_router_name,
    })),
  }
}

/** Memoized by value: a change of states alone keeps the object, and so the layout. */
export function useStableShape(shape: TopologyShape): TopologyShape {
  const key = useMemo(() => JSON.stringify(shape), [shape])
  // eslint-disable-next-line react/exhaustive-deps -- the key is the shape
  return useMemo(() => shape, [key])
}
