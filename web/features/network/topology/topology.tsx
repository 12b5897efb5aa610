import { forwardRef, type ReactNode, useImperativeHandle, useState } from 'react'
import type { LinkRates } from '../link-rates.ts'
import { useMedia } from '#ui/hooks/use-media.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { NothingYet } from '#ui/state/page-states.tsx'
import './canvas/cells.css'
import { drawingChunk, PHONE_DRAWING } from './load-topology.ts'
import { PortGrid } from './phone-topology.tsx'
import styles from './topology.module.css'
import { type TopologyInput, type TopologyModel, useTopologyModel } from './use-topology-model.ts'

/* Topology of one network: a drawing, or on a phone a grid of ports that scrolls with the page. */

export type TopologySelection =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'links'; readonly ids: readonly string[] }

export interface TopologyProps extends TopologyInput {
  readonly selected: string | null
  /** Throughput of the trunks that is shown with them. */
  readonly rates: LinkRates
  /** Null clears the selection. */
  readonly onSelect: (picked: TopologySelection | null) => void
  readonly emptyAction?: ReactNode
}

export interface TopologyHandle {
  /** Walks to the next (1) or previous (-1) match of the search: Enter in the page's search box. */
  readonly step: (by: 1 | -1) => void
}

export const Topology = forwardRef<TopologyHandle, TopologyProps>(function Topology(props, ref) {
  // Abnormal points come first, but no node moves under the pointer or while a member is selected.
  const [isPointed, setIsPointed] = useState(false)
  const model = useTopologyModel({ ...props, isOrderHeld: isPointed || props.selected !== null })
  const isPhone = useMedia(PHONE_DRAWING)
  const { step } = model.find
  useImperativeHandle(ref, () => ({ step }))
  if (props.projection.members.length === 0)
    return (
      <Panel>
        <NothingYet title="暂无成员" action={props.emptyAction} />
      </Panel>
    )
  const content = (
    <div
      className={`${styles.root} ${props.isStale ? 'nl-stale' : ''}`}
      onPointerEnter={() => setIsPointed(true)}
      onPointerLeave={() => setIsPointed(false)}
    >
      {model.emptyText !== null && (
        <p className={styles.note} role="status">
          {model.emptyText}
        </p>
      )}
      {isPhone ? <PortGrid model={model} {...props} /> : <LoadedDrawing model={model} {...props} />}
    </div>
  )
  return isPhone ? <Panel>{content}</Panel> : content // the drawing is a surface of its own
})

function LoadedDrawing(props: TopologyProps & { readonly model: TopologyModel }) {
  const drawing = drawingChunk.useModule()
  if (drawing !== null) return <drawing.Drawing {...props} />
  return (
    <Panel>
      <Skeleton lines={12} />
    </Panel>
  )
}
