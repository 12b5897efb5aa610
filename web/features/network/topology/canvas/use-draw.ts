import { useEffect } from 'react'
import type { Canvas } from './canvas.ts'
import { isCollapsible } from '../layout/model.ts'
import type { TopologyLayout } from '../use-topology-layout.ts'

interface DrawInput {
  readonly canvas: { readonly current: Canvas | null }
  /** The size of the window is known. */
  readonly isReady: boolean
  readonly layout: TopologyLayout
  /** The node that was opened or closed since the last layout. */
  readonly consumeToggled: () => string | null
}

/** Draws the layout, and keeps in sight what was opened. */
export function useDraw({ canvas, isReady, layout: { topology, trunks }, consumeToggled }: DrawInput): void {
  useEffect(() => {
    if (!isReady) return
    canvas.current?.draw(topology, trunks)
    const toggled = consumeToggled()
    const node = topology.nodes.find(({ id }) => id === toggled)
    if (node === undefined || !isCollapsible(node)) return
    // What folds for want of room stands all over the grid when it is opened; the rest follows its node.
    if (node.kind === 'fold') canvas.current?.fit()
    else canvas.current?.revealOpened(node.id)
  }, [canvas, topology, trunks, isReady, consumeToggled])
}

/** Brings a node into sight when it changes, and when the layout does. */
export function useReveal(canvas: DrawInput['canvas'], id: string | null, topology?: TopologyLayout['topology']): void {
  useEffect(() => {
    if (id !== null) canvas.current?.reveal(id)
  }, [canvas, id, topology])
}
