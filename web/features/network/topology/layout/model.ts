import type { LinkView } from '#contract/kernel/protocol.ts'
import type { MemberRole } from '#pages/network/network-text.ts'
import type { RouterType } from '#contract/router/limits.ts'

/** Reasons to fold a member; one without a reason is always drawn. */
export const FOLD_KINDS = ['ok', 'single', 'never', 'disabled'] as const
export type FoldKind = (typeof FOLD_KINDS)[number]

/** Input of the layout. States decide only who is folded when not all fit; they never move what is drawn. */
export interface TopologyShape {
  /** Nodes of the POP resource; the resource itself while no member dials one. */
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
}

export interface TopologyLink {
  readonly id: string
  readonly client: string
  readonly server: string
  /** Of a link between two centres or two others, or to a POP node; absent: point to centre. */
  readonly kind?: LinkView['kind']
}

/** `group`: a range of names. `fold`: members that did not fit. `softwareFold`: software members. */
export type NodeKind = 'pop' | 'center' | 'point' | 'software' | 'group' | 'fold' | 'softwareFold'

export interface TopologyCell {
  readonly id: string
  readonly kind: NodeKind
  readonly label: string
  /** One member, or all that the node stands for. */
  readonly members: readonly string[]
  readonly isOpen: boolean
}

/** Stands for several members, and opens. */
export const isCollapsible = ({ kind }: Pick<TopologyCell, 'kind'>): boolean =>
  kind === 'group' || kind === 'fold' || kind === 'softwareFold'

export interface TopologyNode extends TopologyCell {
  readonly x: number
  readonly y: number
  /** Column of the grid; -1 left of it. */
  readonly column: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Rect extends Point {
  readonly width: number
  readonly height: number
}

export interface SectionTitle extends Point {
  readonly label: string
}

export interface Topology {
  readonly nodes: readonly TopologyNode[]
  readonly titles: readonly SectionTitle[]
  /** Around the points, where the trunks end; null without points. */
  readonly frame: Rect | null
  readonly nodeWidth: number
  readonly width: number
  readonly height: number
}
