import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const COLOURS = 256
const RGB = 2
const PALETTE = 3

/** Reduces a PNG screenshot of Chromium (8 bits RGB) to a palette of its commonest colours: a third of the size. */
export function withPalette(png: Buffer): Buffer {
  const { head, data } = readChunks(png)
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)]
  if (head[8] !== 8 || head[9] !== RGB || head[12] !== 0) throw new Error('not a PNG of 8 bits RGB')
  const pixels = unfilter(inflateSync(data), width, height)
  const palette = commonest(pixels)
  const indexes = new Map(palette.map((colour, index) => [colour, index]))
  const rows = Buffer.alloc((width + 1) * height) // each row begins with its filter, none
  for (let y = 0, from = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + x + 1] = findColour(pixels[from++] ?? 0, palette, indexes)
  head[9] = PALETTE
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function readChunks(png: Buffer): { readonly head: Buffer; readonly data: Buffer } {
  const parts: Buffer[] = []
  let head = Buffer.alloc(13)
  for (let at = SIGNATURE.length; at < png.length;) {
    const [length, type] = [png.readUInt32BE(at), png.toString('latin1', at + 4, at + 8)]
    const body = png.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR') head = Buffer.from(body)
    if (type === 'IDAT') parts.push(body)
    at += length + 12
  }
  return { head, data: Buffer.concat(parts) }
}

/** Undoes the filters of PNG (section 9 of its specification); a pixel is one number. */
function unfilter(raw: Buffer, width: number, height: number): Uint32Array {
  const stride = width * 3
  const pixels = new Uint32Array(width * height)
  let above = new Uint8Array(stride)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)] ?? 0
    const row = Uint8Array.from(raw.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)))
    for (let i = 0; i < stride; i++) {
      const [left, up, corner] = [i < 3 ? 0 : (row[i - 3] ?? 0), above[i] ?? 0, i < 3 ? 0 : (above[i - 3] ?? 0)]
      row[i] = (row[i] ?? 0) + predict(filter, left, up, corner)
    }
    for (let x = 0; x < width; x++)
      pixels[y * width + x] = ((row[x * 3] ?? 0) << 16) | ((row[x * 3 + 1] ?? 0) << 8) | (row[x * 3 + 2] ?? 0)
    above = row
  }
  return pixels
}

function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  if (filter !== 4) return 0
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner
}

function commonest(pixels: Uint32Array): number[] {
  const counts = new Map<number, number>()
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const sorted = [...counts].toSorted((a, b) => b[1] - a[1])
  return sorted.slice(0, COLOURS).map(([colour]) => colour)
}

/** Index of a colour in the palette, or of the nearest one. */
function findColour(colour: number, palette: readonly number[], known: Map<number, number>): number {
  const found = known.get(colour)
  if (found !== undefined) return found
  let [nearest, least] = [0, Infinity]
  for (const [index, other] of palette.entries()) {
    const distance = [16, 8, 0].reduce(
      (sum, bits) => sum + (((colour >> bits) & 255) - ((other >> bits) & 255)) ** 2,
      0,
    )
    if (distance < least) [nearest, least] = [index, distance]
  }
  known.set(colour, nearest)
  return nearest
}

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
