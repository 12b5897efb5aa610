import { IMAGE } from '#contract/file/index.ts'
import { ByteReader, type CleanImage, checkSides, concatBytes, reject } from './image-bytes.ts'

/* Removes metadata from a GIF without decoding it. */

const BLOCK = { extension: 0x21, frame: 0x2c, end: 0x3b } as const
const GRAPHIC_CONTROL = 0xf9
const APPLICATION = 0xff
const LOOPS: readonly string[] = ['NETSCAPE2.0', 'ANIMEXTS1.0']
const CODE_SIZE_MAX = 11

/** Copies frames, their delays and the loop count. Leaves out comments, text, application data and bytes after the end. */
export function cleanGif(bytes: Uint8Array): CleanImage {
  const reader = new ByteReader(bytes)
  reader.take(6) // GIF87a or GIF89a
  const [width, height] = [reader.uint16(true), reader.uint16(true)]
  const sides = checkSides(width, height)
  const flags = reader.uint8()
  reader.take(2) // background, aspect
  skipColours(reader, flags)
  const kept = [bytes.subarray(0, reader.at)]
  let pixels = 0
  for (;;) {
    const start = reader.at
    const kind = reader.uint8()
    if (kind === BLOCK.end) break
    if (kind === BLOCK.frame) pixels += skipFrame(reader)
    else if (kind !== BLOCK.extension) reject('IMAGE_DAMAGED')
    if (pixels > IMAGE.framePixelsMax) reject('IMAGE_TOO_COMPLEX')
    const isKept = kind === BLOCK.frame || isNeeded(reader)
    if (isKept && kept.push(bytes.subarray(start, reader.at)) > IMAGE.partsMax) reject('IMAGE_TOO_COMPLEX')
  }
  if (pixels === 0) reject('IMAGE_DAMAGED')
  return { ...sides, bytes: concatBytes([...kept, Uint8Array.of(BLOCK.end)]) }
}

function skipColours(reader: ByteReader, flags: number): void {
  if (flags & 0x80) reader.take(3 * 2 ** ((flags & 7) + 1))
}

/** Returns the number of pixels in the frame. */
function skipFrame(reader: ByteReader): number {
  const [left, top, width, height] = [
    reader.uint16(true),
    reader.uint16(true),
    reader.uint16(true),
    reader.uint16(true),
  ]
  checkSides(left + width, top + height)
  skipColours(reader, reader.uint8())
  const codeSize = reader.uint8()
  if (codeSize < 1 || codeSize > CODE_SIZE_MAX || skipSubBlocks(reader) === 0) reject('IMAGE_DAMAGED')
  return width * height
}

/** Reads an extension after its introducer; true if a viewer needs it. */
function isNeeded(reader: ByteReader): boolean {
  const label = reader.uint8()
  const isLoop = label === APPLICATION && LOOPS.includes(peekName(reader))
  const bytes = skipSubBlocks(reader)
  if (label === GRAPHIC_CONTROL) return bytes === 4
  return isLoop && bytes === 11 + 3 // the name and one sub-block of three bytes
}

function peekName(reader: ByteReader): string {
  const start = reader.at
  const name = reader.ascii(reader.uint8())
  reader.at = start
  return name
}

/** Returns the number of bytes in them. */
function skipSubBlocks(reader: ByteReader): number {
  let bytes = 0
  for (let length = reader.uint8(); length > 0; length = reader.uint8()) {
    reader.take(length)
    bytes += length
  }
  return bytes
}
