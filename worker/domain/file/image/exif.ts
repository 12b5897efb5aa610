import { ByteReader, ImageError } from './image-bytes.ts'

/* Reads and writes the orientation of a picture in Exif (TIFF) data. */

const ORIENTATION = 0x0112
const SHORT = 3
const LITTLE = 'II'
const BIG = 'MM'
/** Maximum of entries in a directory; cameras write a few dozen. */
const ENTRIES_MAX = 512

/** Orientation 1 to 8; 1 if the data names none or is damaged, because the picture itself is not damaged then. */
export function readOrientation(tiff: Uint8Array): number {
  try {
    return findOrientation(tiff)
  } catch (error) {
    if (error instanceof ImageError) return 1
    throw error
  }
}

function findOrientation(tiff: Uint8Array): number {
  const reader = new ByteReader(tiff)
  const order = reader.ascii(2)
  if (order !== LITTLE && order !== BIG) return 1
  const isLittle = order === LITTLE
  if (reader.uint16(isLittle) !== 42) return 1
  reader.at = reader.uint32(isLittle)
  const entries = Math.min(reader.uint16(isLittle), ENTRIES_MAX)
  for (let i = 0; i < entries; i++) {
    const [tag, type] = [reader.uint16(isLittle), reader.uint16(isLittle)]
    reader.take(4) // count
    const value = reader.uint16(isLittle)
    reader.take(2)
    if (tag === ORIENTATION) return type === SHORT && value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

/** TIFF data that holds only the orientation. */
export function toTiff(orientation: number): Uint8Array {
  const tiff = new Uint8Array(26)
  const view = new DataView(tiff.buffer)
  tiff.set([0x4d, 0x4d])
  view.setUint16(2, 42)
  view.setUint32(4, 8) // the directory follows
  view.setUint16(8, 1)
  view.setUint16(10, ORIENTATION)
  view.setUint16(12, SHORT)
  view.setUint32(14, 1)
  view.setUint16(18, orientation)
  return tiff // the last four bytes: no further directory
}
