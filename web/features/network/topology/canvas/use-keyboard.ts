import { useState } from 'react'
import type { Canvas } from './canvas.ts'
import { nextNode, toKeyAction } from './keyboard.ts'
import type { TopologyNode } from '../layout/model.ts'
import { ZOOM_STEP } from '../toolbar.tsx'

interface KeyboardInput {
  readonly canvas: { readonly current: Canvas | null }
  readonly nodes: readonly TopologyNode[]
  readonly selected: string | null
  readonly onPick: (id: string) => void
  readonly onClose: () => void
}

/** Keys of the drawing: `current` is where they are; `onKey` says whether it took the key. */
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
        canvas.current?.zoom(action === 'zoomIn' ? ZOOM_STEP : 1 / ZOOM_STEP)
        break
      case 'fit':
        canvas.current?.fit()
    }
    return true
  }
  return { current, onKey }
}
