import { useState } from 'react'
import { SCALE } from '../layout/grid.ts'
import type { Point, TopologyNode } from '../layout/topology-types.ts'
import type { Canvas } from './canvas.ts'

/* Keyboard control of the topology drawing: arrows walk from node to node; keys pick, close, zoom and fit. */

type Positioned = Point & { readonly id: string }

const DIRECTION: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
/** Weight of a distance across the direction, so that the arrows keep to their row or column. */
const ASIDE = 4

/** Node that an arrow key leads to: the nearest in its direction, or the first of all without a current node. */
export function nextNode<T extends Positioned>(
  nodes: readonly T[],
  current: string | null,
  key: string,
): T | undefined {
  const from = nodes.find(({ id }) => id === current)
  if (from === undefined) return nodes[0]
  const [dx, dy] = DIRECTION[key] ?? [0, 0]
  let best: T | undefined
  let least = Infinity
  for (const node of nodes) {
    const ahead = (node.x - from.x) * dx + (node.y - from.y) * dy
    const aside = Math.abs((node.x - from.x) * dy) + Math.abs((node.y - from.y) * dx)
    if (ahead <= 0) continue
    const cost = ahead + aside * ASIDE
    if (cost < least) [best, least] = [node, cost]
  }
  return best
}

type KeyAction = 'walk' | 'pick' | 'close' | 'zoomIn' | 'zoomOut' | 'fit'

const ACTION: Readonly<Record<string, KeyAction>> = {
  ArrowLeft: 'walk',
  ArrowRight: 'walk',
  ArrowUp: 'walk',
  ArrowDown: 'walk',
  Enter: 'pick',
  ' ': 'pick',
  Escape: 'close',
  '+': 'zoomIn',
  '=': 'zoomIn',
  '-': 'zoomOut',
  '0': 'fit',
  Home: 'fit',
}

interface KeyState {
  /** Id of the node with the keyboard focus. */
  readonly current: string | null
  readonly selected: string | null
}

/** Action of a key in the drawing; null leaves the key to the page. */
export function toKeyAction(key: string, { current, selected }: KeyState): KeyAction | null {
  const action = ACTION[key] ?? null
  if (action === 'pick' && current === null) return null
  return action === 'close' && selected === null ? null : action
}

interface KeyboardInput {
  readonly canvas: { readonly current: Canvas | null }
  readonly nodes: readonly TopologyNode[]
  readonly selected: string | null
  readonly onPick: (id: string) => void
  readonly onClose: () => void
}

/** `current` is the node with the keyboard focus; `onKey` returns true if it has used the key. */
export function useKeyboard({ canvas, nodes, selected, onPick, onClose }: KeyboardInput) {
  const [current, setCurrent] = useState<string | null>(null)
  const walk = (key: string) => {
    const next = nextNode(nodes, current ?? selected, key)
    if (next === undefined) return
    setCurrent(next.id)
    canvas.current?.reveal(next.id)
  }
  const onKey = (key: string): boolean => {
    const action = toKeyAction(key, { current, selected })
    switch (action) {
      case null:
        return false
      case 'walk':
        walk(key)
        break
      case 'pick':
        if (current !== null) onPick(current)
        break
      case 'close':
        onClose()
        break
      case 'zoomIn':
      case 'zoomOut':
        canvas.current?.zoom(action === 'zoomIn' ? SCALE.step : 1 / SCALE.step)
        break
      case 'fit':
        canvas.current?.fit()
    }
    return true
  }
  return { current, onKey }
}
