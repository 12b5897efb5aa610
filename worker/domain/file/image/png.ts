import { IMAGE } from '#contract/file/index.ts'
import { readOrientation, toTiff } from './exif.ts'
import { ByteReader, type CleanImage, type Sides, checkSides, concatBytes, latin1, reject } from './image-bytes.ts'

/* Removes metadata from a PNG without decoding it. */

const SIGNATURE_BYTES = 8
/** Chunks that decide how the image looks. Animation, text, profiles and private chunks are left out. */
const KEPT: ReadonlySet<string> = new Set('IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB sBIT bKGD pHYs'.split(' '))
/** Bits per sample by colour type (PNG 11.2.1). */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

/** Copies the chunks up to IEND; an orientation stays as the only entry of an eXIf chunk. */
export function cleanPng(bytes: Uint8Array): CleanImage {
  const reader = new ByteReader(bytes)
  const signature = reader.take(SIGNATURE_BYTES)
  const header = readChunk(reader)
  if (header.type !== 'IHDR') reject('IMAGE_DAMAGED')
  const sides = readHeader(header.data)
  const kept = [header.whole]
  let orientation = 1
  let hasData = false
  for (;;) {
    const { type, data, whole } = readChunk(reader)
    if (type === 'eXIf') orientation = readOrientation(data)
    if (type === 'IHDR' || (isCritical(type) && !KEPT.has(type))) reject('IMAGE_DAMAGED')
    if (KEPT.has(type) && kept.push(whole) > IMAGE.partsMax) reject('IMAGE_TOO_COMPLEX')
    hasData ||= type === 'IDAT' && data.length > 0
    if (type === 'IEND') break
  }
  if (!hasData) reject('IMAGE_DAMAGED')
  if (orientation > 1) kept.splice(1, 0, toChunk('eXIf', toTiff(orientation)))
  return { ...sides, bytes: concatBytes([signature, ...kept]) }
}

interface Chunk {
  readonly type: string
  readonly data: Uint8Array
  readonly whole: Uint8Array
}

/** Verifies the checksum of kept chunks only. */
function readChunk(reader: ByteReader): Chunk {
  const start = reader.at
  const length = reader.uint32()
  const type = reader.ascii(4)
  const data = reader.take(length)
  const sum = reader.uint32()
  const whole = reader.bytes.subarray(start, reader.at)
  if (KEPT.has(type) && crc32(whole.subarray(4, 8 + length)) !== sum) reject('IMAGE_DAMAGED')
  return { type, data, whole }
}

/** A capital first letter marks a critical chunk: a decoder that does not know it cannot show the image. */
const isCritical = (type: string): boolean => /^[A-Z]/.test(type)

function readHeader(data: Uint8Array): Sides {
  const reader = new ByteReader(data)
  const [width, height] = [reader.uint32(), reader.uint32()]
  const [depth, colour, compression, filter, interlace] = reader.take(5)
  const isKnown = DEPTHS[colour ?? -1]?.includes(depth ?? 0) === true && compression === 0 && filter === 0
  if (!isKnown || (interlace ?? 2) > 1 || data.length !== 13) reject('IMAGE_DAMAGED')
  return checkSides(width, height)
}

/** Chunk with its length and checksum (PNG 5.3). `type` has four ASCII letters. */
export function toChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(12 + data.length)
  const view = new DataView(chunk.buffer)
  view.setUint32(0, data.length)
  chunk.set(latin1(type), 4)
  chunk.set(data, 8)
  view.setUint32(8 + data.length, crc32(chunk.subarray(4, 8 + data.length)))
  return chunk
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0)
  return ~crc >>> 0
}
