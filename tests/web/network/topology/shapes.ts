import { evaluateNetwork } from '#domain/health/network.ts'
import type { PresenceState } from '#contract/kernel/protocol.ts'
import type { Link, Member } from '#pages/network/live-network.ts'
import { layoutTopology } from '#pages/network/topology/layout/layout.ts'
import type { LayoutOptions } from '#pages/network/topology/layout/layout.ts'
import { type Topology, type TopologyShape, toTopologyShape } from '#pages/network/topology/layout/topology-types.ts'
import { createDrawingData, type DrawingData } from '#pages/network/topology/drawing-data.ts'
import { link, member } from '../member.ts'

export interface Network {
  readonly members: readonly Member[]
  readonly links: readonly Link[]
}

/** Centres c0…, points p0… in the given states with a link to each centre, software members s0…, offline. */
export function network(
  centers: number,
  points: number | readonly PresenceState[],
  software = 0,
  toLinkState: (point: number, center: number) => Link['state'] = () => 'up',
): Network {
  const states = typeof points === 'number' ? Array.from({ length: points }, () => 'online' as const) : points
  return {
    members: [
      ...Array.from({ length: centers }, (_, i) => member(`c${i}`, { role: 'center' })),
      ...states.map((state, i) => member(`p${i}`, { state })),
      ...Array.from({ length: software }, (_, i) => member(`s${i}`, { type: 2, state: 'offline' })),
    ],
    links: states.flatMap((state, p) =>
      Array.from({ length: centers }, (_, c) =>
        link(`p${p}`, `c${c}`, state === 'never' ? 'never' : state === 'offline' ? 'down' : toLinkState(p, c)),
      ),
    ),
  }
}

/** `first`: the points before all others; without it the abnormal ones. */
export const toShape = ({ members, links }: Network, popName = '', first?: ReadonlySet<string>): TopologyShape =>
  toTopologyShape(members, links, popName, evaluateNetwork(members, links).affected, first)

/** The drawing of the network page at 1440 × 900. */
export const VIEWPORT = { width: 1144, height: 600 }

export const layout = (
  of: Network,
  options: Partial<LayoutOptions> = {},
  popName = '',
  first?: ReadonlySet<string>,
): Topology =>
  layoutTopology(toShape(of, popName, first), { viewport: VIEWPORT, open: new Set(), pinned: new Set(), ...options })

export const painted = ({ members, links }: Network, isStale = false): DrawingData =>
  createDrawingData({
    members,
    links,
    centers: members.filter(({ member_type }) => member_type === 'center').map(({ router_name }) => router_name),
    affected: evaluateNetwork(members, links).affected,
    isStale,
  })

export const linksById = ({ links }: Network) => new Map(links.map((one) => [one.id, one]))
