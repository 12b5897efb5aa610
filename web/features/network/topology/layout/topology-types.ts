import type { LinkView } from '#contract/kernel/protocol.ts'
import { PRESENCE_WORD, SINGLE_CENTER_WORD } from '#contract/kernel/states.ts'
import type { RouterType } from '#contract/router/limits.ts'
import type { Affected } from '#domain/health/network.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import type { MemberRole } from '#pages/network/network-text.ts'
import type { Member } from '#pages/network/live-network.ts'

/* Types of the topology: nodes that the layout places, and its input of members and links, made from live data. */

/** Reasons to fold a member; one without a reason is always drawn. */
export const FOLD_KINDS = ['ok', 'single', 'never', 'disabled'] as const
export type FoldKind = (typeof FOLD_KINDS)[number]

export const FOLD_WORD: Readonly<Record<FoldKind, string>> = {
  ok: '正常',
  single: SINGLE_CENTER_WORD,
  never: PRESENCE_WORD.never,
  disabled: PRESENCE_WORD.disabled,
}

/** Input of the layout. States decide which members fold when not all fit, and which are drawn first. */
export interface TopologyShape {
  /** POP nodes of the resource, or the resource itself while no member dials a node. */
  readonly pops: readonly { readonly id: string; readonly label: string }[]
  readonly members: readonly TopologyMember[]
  readonly links: readonly TopologyLink[]
}

export interface TopologyMember {
  readonly name: string
  readonly label: string
  readonly role: MemberRole
  readonly routerType: RouterType
  readonly fold: FoldKind | null
  /** The point is drawn before all others: it is abnormal, or was when the order was held. */
  readonly isFirst: boolean
}

export interface TopologyLink {
  readonly id: string
  readonly client: string
  readonly server: string
  /** Kind of the link; absent for a link from a point to a centre. */
  readonly kind?: LinkView['kind']
}

/** `fold`: members that did not fit. `softwareFold`: software members. */
export type NodeKind = 'pop' | 'center' | 'point' | 'software' | 'fold' | 'softwareFold'

export interface TopologyCell {
  readonly id: string
  readonly kind: NodeKind
  readonly label: string
  /** Names of the members that the node stands for. */
  readonly members: readonly string[]
  readonly isOpen: boolean
}

/** The cell stands for several members, and opens. */
export const isCollapsible = ({ kind }: Pick<TopologyCell, 'kind'>): boolean =>
  kind === 'fold' || kind === 'softwareFold'

export interface TopologyNode extends TopologyCell, Point {
  /** Column of the grid; -1 left of it. */
  readonly column: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Rect extends Point, Size {}

/** All points of a network as cells by rows, in the order of their names. */
export interface DensityMap extends Rect {
  readonly columns: number
  readonly names: readonly string[]
}

export interface SectionTitle extends Point {
  readonly label: string
}

export interface Topology extends Size {
  readonly nodes: readonly TopologyNode[]
  readonly titles: readonly SectionTitle[]
  /** Frame around the points, where the trunks end; null without points. */
  readonly frame: Rect | null
  /** Density map of a large network; null below `CROWD_ABOVE`. */
  readonly map: DensityMap | null
  readonly nodeWidth: number
}

interface ShapeLink extends Pick<LinkView, 'id' | 'router_name' | 'center_router_name' | 'kind'> {
  readonly center_router_name_note?: string
}

/** POP nodes of a network, labelled by area, with a number if several nodes serve the area. */
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
  first: ReadonlySet<string> = abnormal,
): TopologyShape {
  return {
    pops: toPops(links, popName),
    members: members.map((member) => ({
      name: member.router_name,
      label: memberLabel(member),
      role: member.member_type,
      routerType: member.router_type,
      fold: abnormal.has(member.router_name) ? null : foldKind(member, singleCenter),
      isFirst: first.has(member.router_name),
    })),
    links: links.map(({ id, router_name, center_router_name, kind }) => ({
      id,
      client: router_name,
      server: center_router_name,
      ...(kind !== undefined && { kind }),
    })),
  }
}

/** Kind of fold of a member without a fault. */
function foldKind({ presence, router_name }: Member, singleCenter: ReadonlySet<string>): FoldKind {
  if (presence.state === 'never' || presence.state === 'disabled') return presence.state
  return singleCenter.has(router_name) ? 'single' : 'ok'
}
