import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { routerTypeName } from '#pages/network/network-text.ts'
import {
  FOLD_KINDS,
  FOLD_WORD,
  type FoldKind,
  type NodeKind,
  type TopologyCell,
  type TopologyMember,
  type TopologyShape,
} from './topology-types.ts'

/* Cells of the topology: points and folds, by the number of nodes that fit. */

export const SOFTWARE_FOLD = 'fold:software'

interface CellOptions {
  /** Number of nodes that fit; beyond it, nodes without a fault fold. */
  readonly capacity: number
  readonly open: ReadonlySet<string>
  readonly pinned: ReadonlySet<string>
}

const foldId = (kind: FoldKind) => `fold:${kind}`

export const memberCell = ({ name, label }: TopologyMember, kind: NodeKind): TopologyCell => ({
  id: name,
  kind,
  label,
  members: [name],
  isOpen: false,
})

export const popCell = ({ id, label }: TopologyShape['pops'][number]): TopologyCell => ({
  id,
  kind: 'pop',
  label,
  members: [],
  isOpen: false,
})

/** All points if they fit; else the first by name, then the abnormal ones, then one fold for each kind of the rest. */
export function pointCells(points: readonly TopologyMember[], options: CellOptions): readonly TopologyCell[] {
  return points.length <= options.capacity ? points.map((p) => memberCell(p, 'point')) : foldCells(points, options)
}

function foldCells(points: readonly TopologyMember[], { capacity, open, pinned }: CellOptions) {
  const isKept = ({ name, fold }: TopologyMember) => fold === null || pinned.has(name) || open.has(foldId(fold))
  const split = (head: number) => {
    const rest = points.slice(head)
    const folds = FOLD_KINDS.flatMap((kind) => {
      const isOpen = open.has(foldId(kind))
      const ofKind = (isOpen ? points : rest.filter((point) => !isKept(point))).filter(({ fold }) => fold === kind)
      const members = ofKind.map(({ name }) => name)
      const label = `${isOpen ? '' : '＋'}${members.length} ${FOLD_WORD[kind]}`
      // A fold of one member would take as much place as the member.
      return members.length <= 1 ? [] : [{ id: foldId(kind), kind: 'fold' as const, label, members, isOpen }]
    })
    const folded = new Set(folds.flatMap(({ isOpen, members }) => (isOpen ? [] : members)))
    return { shown: points.filter(({ name }) => !folded.has(name)), folds }
  }
  // Longest head that fits. A change of one state then moves only the cells behind the head.
  let head = Math.min(points.length, capacity)
  let cells = split(head)
  while (head > 0 && cells.shown.length + cells.folds.length > capacity) cells = split(--head)
  return [...cells.shown.map((point) => memberCell(point, 'point')), ...cells.folds]
}

/** Software members are many and have no permanent links, so one node with their number stands for all until opened. */
export function softwareCells(
  members: readonly TopologyMember[],
  { open, pinned }: Pick<CellOptions, 'open' | 'pinned'>,
): readonly TopologyCell[] {
  if (members.length === 0) return []
  const isOpen = open.has(SOFTWARE_FOLD)
  const shown = members.filter(({ name, fold }) => isOpen || fold === null || pinned.has(name))
  const names = members.map(({ name }) => name)
  return [
    { id: SOFTWARE_FOLD, kind: 'softwareFold', label: routerTypeName(ROUTER_TYPE.software), members: names, isOpen },
    ...shown.map((member) => memberCell(member, 'software')),
  ]
}
