import { LAST_KNOWN_WORD } from '#contract/kernel/states.ts'
import { countStates } from '#domain/health/member.ts'
import { saveFile } from '#lib/call/save-file.ts'
import { timeText } from '#lib/format/format-time.ts'
import { currentBrand } from '#lib/session/brand.ts'
import { membersText } from '#pages/network/network-text.ts'
import type { Projection } from '#pages/network/live-network.ts'
import type { Size, Topology } from '../layout/topology-types.ts'
import { markPath, PORT_PX } from '../layout/ports.ts'
import { type LegendItem, legendFacts, legendItems, SAMPLE, SAMPLE_PX } from '../legend.tsx'
import { lookPath } from '../map-look.ts'
import { openedText } from '../node-style.ts'
import type { DrawingData } from '../drawing-data.ts'
import { LINE_ID } from './cell-parts.ts'
import rules from './cells.css?inline'

/* Export of the topology drawing as a PNG file, with title, counts and legend. */

const VARIABLES = '--nl-panel --nl-canvas --nl-line --nl-ok --nl-warn --nl-bad --nl-idle --semi-color-text-0'.split(' ')
const SIDE_MAX_PX = 8_192 // larger canvases come out empty in some browsers
const EMPHASIS = ['nl-faded', 'nl-map-dimmed', 'nl-found', 'nl-hit', 'nl-selected', 'nl-current', 'nl-edge-focused']

interface ExportInput extends Pick<Projection, 'members' | 'links'> {
  readonly name: string
  readonly topology: Topology
  readonly painted: DrawingData
  /** Lines that are drawn even if no node is hovered or selected. */
  readonly lasting: ReadonlySet<string>
}

/** Title, time in Asia/Shanghai, counts and brand of an exported drawing. */
export function exportTexts({ name, members, links, painted }: Omit<ExportInput, 'topology' | 'lasting'>, now: number) {
  const facts = [
    timeText(now),
    `成员 ${members.length}（${membersText(countStates(members))}）`,
    `链路 ${openedText(links)}`,
    ...(painted.isStale ? [LAST_KNOWN_WORD] : []),
  ]
  const brand = currentBrand()
  return { title: `${name} 拓扑图`, subtitle: facts.join(' · '), brand: brand.name ?? brand.title }
}

/** Reads the cells at once, then draws them into a file. */
export async function exportPng(cells: SVGElement, input: ExportInput): Promise<void> {
  const { topology, name, links, painted, lasting } = input
  const copy = cells.cloneNode(true) as SVGElement
  for (const own of ['transform', 'style']) copy.removeAttribute(own)
  for (const line of copy.querySelectorAll(`[${LINE_ID}]`))
    if (!lasting.has(line.getAttribute(LINE_ID) ?? '')) line.remove()
  for (const mark of copy.querySelectorAll('.nl-map-mark')) mark.remove()
  for (const emphasis of EMPHASIS)
    for (const element of copy.querySelectorAll(`.${emphasis}`)) element.classList.remove(emphasis)
  const svg = createSvg({
    ...exportTexts(input, Date.now()),
    drawing: new XMLSerializer().serializeToString(copy),
    size: topology,
    legend: legendItems(links, legendFacts(topology, painted)),
    css: lightStyle(painted.isStale),
  })
  saveFile({ name: `${name}-拓扑图.png`, content: await toPng(svg, exportSize(topology)) })
}

/** Style of the light theme, because paper is white. The theme is switched on for the read only and never painted. */
function lightStyle(isStale: boolean): string {
  const theme = document.body.getAttribute('theme-mode')
  document.body.removeAttribute('theme-mode')
  const style = getComputedStyle(document.body)
  const values = VARIABLES.map((variable) => `${variable}:${style.getPropertyValue(variable)}`).join(';')
  const font = style.fontFamily.replaceAll('"', "'")
  if (theme !== null) document.body.setAttribute('theme-mode', theme)
  const stale = isStale ? 'svg{--nl-ok:var(--nl-idle);--nl-warn:var(--nl-idle);--nl-bad:var(--nl-idle)}' : ''
  return `svg{${values};font-family:${font}}${stale}${rules}`
}

/** Renders at twice the size for sharp text, or smaller if that would be too large. */
async function toPng(svg: string, { width, height }: Size): Promise<Blob> {
  const image = new Image()
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    image.src = address
    await image.decode()
  } finally {
    URL.revokeObjectURL(address)
  }
  const scale = Math.min(2, SIDE_MAX_PX / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = width * scale
  canvas.height = height * scale
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (png === null) throw new Error('the image is too large')
  return png
}

interface SvgInput extends ReturnType<typeof exportTexts> {
  readonly drawing: string
  readonly size: Size
  readonly legend: readonly LegendItem[]
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
export function createSvg({ drawing, size, legend, css, title, subtitle, brand }: SvgInput): string {
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

function legendSvg({ word, line, mark, isRing, cell }: LegendItem, x: number, y: number): string {
  const paths = [
    line !== null && `<path d="${mark === null ? SAMPLE.lineOnly : SAMPLE.line}" class="nl-edge ${line}"/>`,
    mark !== null &&
      `<path d="${markPath(mark, SAMPLE.mark.x, SAMPLE.mark.y, PORT_PX.radius)}" class="nl-port nl-port-${mark}"/>`,
    cell !== null && `<path d="${lookPath(cell, SAMPLE.cell.x, SAMPLE.cell.y)}" class="nl-map nl-map-${cell}"/>`,
    isRing && `<path d="${SAMPLE.ring}" class="nl-node nl-node-online nl-node-single"/>`,
  ].filter((path) => path !== false)
  const text = `<text x="${SAMPLE_PX.width + 8}" y="11" class="nl-node-sub">${escapeText(word)}</text>`
  return `<g transform="translate(${x} ${y})">${paths.join('')}${text}</g>`
}
