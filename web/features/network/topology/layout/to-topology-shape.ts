import type { LinkView } from '#contract/kernel/protocol.ts'
import type { Affected } from '#domain/health/network.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import type { Member } from '#pages/network/projection.ts'
import type { FoldKind, TopologyShape } from './model.ts'

interface ShapeLink extends Pick<LinkView, 'id' | 'router_name' | 'center_router_name' | 'kind'> {
  readonly center_router_name_note?: string
}

/** The POP nodes of a network, each labelled by its area, with a number where several nodes serve it. */
function toPops(links: readonly ShapeLink[], popName: string): TopologyShape['pops'] {
  const ofPop = links.filter(({ kind }) => kind === 'pop')
  const areas = new Map(ofPop.map((link) => [link.center_router_name, link.center_router_name_note ?? '']))
  const nodes = [...areas].toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (nodes.length === 0) return popName === '' ? [] : [{ id: 'pop', label: popName }]
  return nodes.map(([id, area]) => {
    const same = nodes.filter(([, other]) => other === area)
    const label = area === '' ? id : area
    return {
      id,
      label: same.length > 1 && area !== '' ? `${label} ${same.findIndex(([other]) => other === id) + 1}` : label,
    }
  })
}

export function toTopologyShape(
  members: readonly Member[],
  links: readonly ShapeLink[],
  popName: string,
  { abnormal, singleCenter }: Affected,
): TopologyShape {
  return {
    pops: toPops(links, popName),
    members: members.map((member) => ({
      name: member.router_name,
      label: memberLabel(member),
      role: member.member_type,
      routerType: member.router_type,
      fold: abnormal.has(member.router_name) ? null : foldKind(member, singleCenter),
    })),
    links: links.map(({ id, router_name, center_router_name, kind }) => ({
      id,
      client: router_name,
      server: center_router_name,
      ...(kind !== undefined && { kind }),
    })),
  }
}

/** The fold that a member without a fault goes into: one that is not simply 正常 has a fold of its own kind. */
function foldKind({ presence, router_name }: Member, singleCenter: ReadonlySet<string>): FoldKind {
  if (presence.state === 'never' || presence.state === 'disabled') return presence.state
  return singleCenter.has(router_name) ? 'single' : 'ok'
}
