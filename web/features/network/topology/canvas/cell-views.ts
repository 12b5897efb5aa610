import { type CellViewOptions, NodeView, type NodeViewOptions } from '@antv/x6'
import { LINE_ID, lineParts, type Part } from './cell-parts.ts'
import type { TopologyEdge } from '../layout/edges.ts'

export interface DrawnEdge {
  readonly edge: TopologyEdge
  readonly className: string
}

const SVG = 'http://www.w3.org/2000/svg'

function createElement({ tag, className, attributes, text, strokePx }: Part): SVGElement {
  const element = document.createElementNS(SVG, tag)
  element.setAttribute('class', className)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  if (text !== undefined) element.textContent = text
  if (strokePx !== undefined) element.style.strokeWidth = `${strokePx}px`
  return element
}

let shared: NodeViewOptions | null = null

/** Draws its cell itself. X6's markup and attributes take a millisecond for each cell, most of a frame for ten. */
export abstract class PlainView extends NodeView {
  /** Brings the elements in line with what is to be seen. */
  abstract draw(): void

  /** Shows what has changed since the last time. Outside the window there is nothing to do: X6 asks again. */
  show(): void {
    if (this.container.isConnected) this.draw()
  }

  override confirmUpdate(): number {
    this.updateTransform()
    this.draw()
    return 0
  }

  /** X6 copies them deeply for each cell. */
  protected override ensureOptions(own: Partial<CellViewOptions>): NodeViewOptions {
    shared ??= super.ensureOptions({})
    return { ...shared, ...own }
  }
}

/** A view of the parts that a cell consists of now; null before they are known. */
export function createPartsView(partsOf: (id: string) => readonly Part[] | null) {
  return class PartsView extends PlainView {
    shown = ''

    override draw(): void {
      const parts = partsOf(this.cell.id)
      const key = JSON.stringify(parts)
      if (parts === null || key === this.shown) return
      this.shown = key
      this.container.replaceChildren(...parts.map(createElement))
    }
  }
}

/** One view of all single lines. What stays keeps its elements: the pointer may be on one of them. */
export function createLinesView(drawn: () => readonly DrawnEdge[]) {
  return class LinesView extends PlainView {
    readonly lines = new Map<string, SVGElement>()

    override draw(): void {
      const edges = drawn()
      const kept = new Set(edges.map(({ edge }) => edge.id))
      for (const [id, line] of this.lines) {
        if (kept.has(id)) continue
        line.remove()
        this.lines.delete(id)
      }
      const added = edges.flatMap(({ edge, className }) => {
        const line = this.lines.get(edge.id)
        if (line === undefined) return this.createLine(edge, className)
        if (line.firstElementChild?.getAttribute('class') !== className)
          line.firstElementChild?.setAttribute('class', className)
        return []
      })
      this.container.append(...added)
    }

    createLine(edge: TopologyEdge, className: string): SVGElement {
      const line = document.createElementNS(SVG, 'g')
      line.setAttribute(LINE_ID, edge.id)
      line.append(...lineParts(edge, className).map(createElement))
      this.lines.set(edge.id, line)
      return line
    }
  }
}
