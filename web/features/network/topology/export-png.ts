import rules from './drawing.css?inline'

const COLOURS = ['--nl-panel', '--nl-canvas', '--nl-line', '--nl-ok', '--nl-warn', '--nl-bad', '--nl-idle', '--nl-ink']
const SIDE_MAX_PX = 8_192 // larger canvases come out empty in some browsers
const PADDING_PX = 32

interface Size {
  readonly width: number
  readonly height: number
}

/** A self-contained SVG: the rules of drawing.css and the colours of the current theme are inlined. */
export function createSvg(stage: SVGElement, { width, height }: Size, themed: Element): string {
  const style = getComputedStyle(themed)
  const colours = COLOURS.map((name) => `${name}:${style.getPropertyValue(name)}`).join(';')
  const drawing = stage.cloneNode(true) as SVGElement
  drawing.setAttribute('transform', `translate(${PADDING_PX} ${PADDING_PX})`)
  const [w, h] = [width + 2 * PADDING_PX, height + 2 * PADDING_PX]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">`,
    `<style>svg{${colours};font-family:${style.fontFamily.replaceAll('"', "'")}}${rules}</style>`,
    `<rect width="100%" height="100%" style="fill:var(--nl-canvas)"/>`,
    new XMLSerializer().serializeToString(drawing),
    '</svg>',
  ].join('')
}

/** Twice the size for sharp text, less where that would be too large. */
export async function savePng(svg: string, { width, height }: Size, fileName: string): Promise<void> {
  const image = new Image()
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    image.src = address
    await image.decode()
  } finally {
    URL.revokeObjectURL(address)
  }
  const scale = Math.min(2, SIDE_MAX_PX / (Math.max(width, height) + 2 * PADDING_PX))
  const canvas = document.createElement('canvas')
  canvas.width = (width + 2 * PADDING_PX) * scale
  canvas.height = (height + 2 * PADDING_PX) * scale
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (png === null) throw new Error('the image is too large')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(png)
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000)
}
