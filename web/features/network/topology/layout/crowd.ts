import { countText } from '#lib/format/format-unit.ts'
import { memberCell } from './cells.ts'
import { FOLD_KINDS, FOLD_WORD, type TopologyCell, type TopologyMember } from './topology-types.ts'

/* Points of a large network as cells: a node for each abnormal one, a block for each kind of the others. */

export interface Crowd {
  /** Above the density map: abnormal points, then the blocks. */
  readonly head: readonly TopologyCell[]
  /** Below it: members of opened blocks. */
  readonly opened: readonly TopologyCell[]
}

interface CrowdOptions {
  /** Number of nodes above the map. */
  readonly capacity: number
  readonly open: ReadonlySet<string>
  /** Members that have a node in any case. */
  readonly pinned?: ReadonlySet<string>
}

export function crowdCells(points: readonly TopologyMember[], { capacity, open, pinned }: CrowdOptions): Crowd {
  const isNode = ({ name, fold }: TopologyMember) => fold === null || pinned?.has(name) === true
  const blocks = FOLD_KINDS.map((kind) => ({
    id: `fold:${kind}`,
    word: FOLD_WORD[kind],
    members: points.filter((point) => point.fold === kind && !isNode(point)),
  })).filter(({ members }) => members.length > 0)
  const nodes = points.filter(isNode)
  const room = Math.max(1, capacity - blocks.length)
  const shown = nodes.length <= room ? nodes : nodes.slice(0, room - 1)
  const rest = nodes.slice(shown.length)
  const folded = [...(rest.length === 0 ? [] : [{ id: 'fold:abnormal', word: '异常', members: rest }]), ...blocks]
  return {
    head: [
      ...shown.map((point) => memberCell(point, 'point')),
      ...folded.map(({ id, word, members }): TopologyCell => {
        const isOpen = open.has(id)
        const label = `${isOpen ? '' : '＋'}${countText(members.length)} ${word}`
        return { id, kind: 'fold', label, members: members.map(({ name }) => name), isOpen }
      }),
    ],
    opened: folded.flatMap(({ id, members }) =>
      open.has(id) ? members.map((point) => memberCell(point, 'point')) : [],
    ),
  }
}
