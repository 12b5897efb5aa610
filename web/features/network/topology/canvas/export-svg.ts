import type { LegendItem } from '../legend-items.ts'
import { SAMPLE, SAMPLE_PX } from '../legend-items.ts'
import { markPath, PORT_PX } from '../layout/ports.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

export interface ExportTexts {
  readonly title: string
  /** Time and counts. */
  readonly subtitle: string
  readonly brand: string
}

interface ExportInput extends ExportTexts {
  readonly drawing: string
  readonly size: Size
  readonly legend: readonly LegendItem[]
  /** Style sheet with the values of its variables. */
  readonly css: string
}

const EXPORT_PX = { padding: 32, head: 64, foot: 44, widthMin: 640, legendItem: 150 } as const

export function exportSize({ width, height }: Size): Size {
  const { padding, head, foot, widthMin } = EXPORT_PX
  return { width: Math.max(widthMin, width) + 2 * padding, height: height + head + foot + 2 * padding }
}

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeText = (text: string) => text.replace(/[&<>"]/g, (character) => ESCAPED[character] ?? character)

/** A self-contained SVG: title, time, counts and brand above the drawing, the legend below it. */
export function createSvg({ drawing, size, legend, css, title, subtitle, brand }: ExportInput): string {
  const { padding, head, legendItem } = EXPORT_PX
  const { width, height } = exportSize(size)
  const footY = height - padding - SAMPLE_PX.height
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<style>${css}</style>`,
    '<rect width="100%" height="100%" style="fill:var(--nl-canvas)"/>',
    `<text x="${padding}" y="${padding + 18}" class="nl-export-title">${escapeText(title)}</text>`,
    `<text x="${padding}" y="${padding + 42}" class="nl-node-sub">${escapeText(subtitle)}</text>`,
    `<text x="${width - padding}" y="${padding + 18}" text-anchor="end" class="nl-node-title">${escapeText(brand)}</text>`,
    `<g transform="translate(${padding} ${padding + head})">${drawing}</g>`,
    ...legend.map((item, i) => legendSvg(item, padding + i * legendItem, footY)),
    '</svg>',
  ].join('')
}

function legendSvg({ word, line, mark, isRing }: LegendItem, x: number, y: number): string {
  const paths = [
    line !== null && `<path d="${mark === null ? SAMPLE.lineOnly : SAMPLE.line}" class="nl-edge ${line}"/>`,
    mark !== null &&
      `<path d="${markPath(mark, SAMPLE.mark.x, SAMPLE.mark.y, PORT_PX.radius)}" class="nl-port nl-port-${mark}"/>`,
    isRing && `<path d="${SAMPLE.ring}" class="nl-node nl-node-online nl-node-single"/>`,
  ].filter((path) => path !== false)
  const text = `<text x="${SAMPLE_PX.width + 8}" y="11" class="nl-node-sub">${escapeText(word)}</text>`
  return `<g transform="translate(${x} ${y})">${paths.join('')}${text}</g>`
}
