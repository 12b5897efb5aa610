import type { TopologyEdge, Trunk } from '../layout/edges.ts'
import type { Point, Rect } from '../layout/topology-types.ts'
import { PORT_MARKS } from '../layout/ports.ts'
import { type NodeStyle, TEXT_X_PX } from '../node-style.ts'
import type { TrunkStyle } from './edge-style.ts'

/* SVG elements of the cells of the topology drawing: nodes, trunks, titles, frame and single lines. */

/** One SVG element of a cell. Colours come from classes; the class of the first element colours the later ones. */
export interface Part {
  readonly tag: 'path' | 'text' | 'rect'
  readonly className: string
  readonly attributes: Readonly<Record<string, string | number>>
  readonly text?: string
  /** Width in place of that of the class. */
  readonly strokePx?: number
}

/** Attribute with the id of a single line, which has no cell of its own. */
export const LINE_ID = 'data-line'
export const TRUNK_HEIGHT_PX = 24
const LABEL_Y_PX = 5
/** Baselines of the lines below a trunk. */
const RATE_PX = { first: 7, line: 13 } as const
/** Baseline of a name over a second line, and of one alone in its node. */
const TITLE_Y_PX = { over: 17, alone: 25 } as const

const path = (className: string, d: string, more?: Part['attributes']): Part => ({
  tag: 'path',
  className,
  attributes: { d, ...more },
})
const text = (className: string, { x, y }: Point, content: string): Part => ({
  tag: 'text',
  className,
  attributes: { x, y },
  text: content,
})

/** Visible elements of a node; a node without ports has no elements for them. */
export function nodeParts({ className, outline, mark, title, sub, ports }: NodeStyle): readonly Part[] {
  const marks = PORT_MARKS.filter((name) => ports[name] !== '')
  return [
    path(`nl-node ${className}`, outline),
    path('nl-node-icon', mark, { transform: 'translate(10 14)' }),
    text('nl-node-title', { x: TEXT_X_PX, y: sub === '' ? TITLE_Y_PX.alone : TITLE_Y_PX.over }, title),
    ...(sub === '' ? [] : [text('nl-node-sub', { x: TEXT_X_PX, y: 33 }, sub)]),
    ...(marks.length === 0 ? [] : [path('nl-port-ground', ports.ground)]),
    ...marks.map((name) => path(`nl-port nl-port-${name}`, ports[name])),
  ]
}

export function trunkParts(
  { from, to }: Trunk,
  { className, widthPx, label, throughput }: TrunkStyle,
): readonly Part[] {
  const width = to.x - from.x
  const d = `M0 ${TRUNK_HEIGHT_PX / 2}H${width}`
  return [
    { ...path(`${className} nl-trunk`, d), strokePx: widthPx },
    path('nl-edge-hit', d),
    text('nl-trunk-label', { x: width / 2, y: LABEL_Y_PX }, label),
    ...throughput.map((rate, line) =>
      text('nl-trunk-rate', { x: width / 2, y: TRUNK_HEIGHT_PX + RATE_PX.first + line * RATE_PX.line }, rate),
    ),
  ]
}

export const titleParts = (label: string): readonly Part[] => [text('nl-column-title', { x: 0, y: 14 }, label)]

export const frameParts = ({ width, height }: Rect): readonly Part[] => [
  { tag: 'rect', className: 'nl-frame', attributes: { width, height, rx: 8 } },
]

/** The line, and a wider invisible one for the pointer. */
export function lineParts(edge: TopologyEdge, className: string): readonly Part[] {
  const d = linePath(edge)
  return [path(className, d), path('nl-edge-hit', d)]
}

/** A Bézier curve with horizontal ends. */
function bend(from: Point, to: Point): string {
  const x = (from.x + to.x) / 2
  return `C${x} ${from.y} ${x} ${to.y} ${to.x} ${to.y}`
}

function linePath({ from, to, lane }: TopologyEdge): string {
  if (lane === null) return `M${from.x} ${from.y}${bend(from, to)}`
  const [enter, leave] = lane
  return `M${from.x} ${from.y}${bend(from, enter)}H${leave.x}${leave.y === enter.y ? '' : `V${leave.y}`}${bend(leave, to)}`
}
