import { IMAGE } from '#contract/file/index.ts'
import { readOrientation, toTiff } from './exif.ts'
import { ByteReader, type CleanImage, type Sides, checkSides, concatBytes, latin1, reject } from './image-bytes.ts'

/* Removes metadata from a JPEG without decoding it. */

const MARKER = { start: 0xd8, end: 0xd9, scan: 0xda, app0: 0xe0, app1: 0xe1, app14: 0xee } as const
/** Frames that browsers decode: baseline, extended and progressive Huffman. */
const FRAMES: readonly number[] = [0xc0, 0xc1, 0xc2]
const TABLES: readonly number[] = [0xdb, 0xc4, 0xdd] // quantization, Huffman, restart interval
const EXIF = 'Exif\0\0'
const JFIF = 'JFIF\0'
const ADOBE = 'Adobe'
const JFIF_BYTES = 14
const ADOBE_BYTES = 12 // tells the colour transform

/**
 * Copies the segments that a decoder needs up to EOI. JFIF loses its thumbnail; Exif, profiles, comments and images after
 * the end are left out. An orientation stays as the only entry of an Exif segment.
 */
export function cleanJpeg(bytes: Uint8Array): CleanImage {
  const reader = new ByteReader(bytes)
  reader.take(2) // SOI
  const segments: Segment[] = []
  for (let segment = readSegment(reader); segment !== null; segment = readSegment(reader))
    if (segments.push(segment) > IMAGE.partsMax) reject('IMAGE_TOO_COMPLEX')
  const sides = checkOrder(segments)
  const exif = segments.find(({ marker, data }) => marker === MARKER.app1 && startsWith(data, EXIF))
  const orientation = exif ? readOrientation(exif.data.subarray(EXIF.length)) : 1
  const kept = segments.flatMap(toKept)
  if (orientation > 1) kept.unshift(toSegment(MARKER.app1, concatBytes([latin1(EXIF), toTiff(orientation)])))
  const [head, end] = [Uint8Array.of(0xff, MARKER.start), Uint8Array.of(0xff, MARKER.end)]
  return { ...sides, bytes: concatBytes([head, ...kept, end]) }
}

interface Segment {
  readonly marker: number
  readonly data: Uint8Array
  /** Bytes after the marker: length, data, and the coded data of a scan. */
  readonly body: Uint8Array
}

/** Null at the end of the image. */
function readSegment(reader: ByteReader): Segment | null {
  const marker = readMarker(reader)
  if (marker === MARKER.end) return null
  const start = reader.at
  const length = reader.uint16()
  if (length < 2) reject('IMAGE_DAMAGED')
  const data = reader.take(length - 2)
  if (marker === MARKER.scan) skipEntropyCoded(reader)
  return { marker, data, body: reader.bytes.subarray(start, reader.at) }
}

/** Requires one frame, and at least one scan after it. */
function checkOrder(segments: readonly Segment[]): Sides {
  const [frame, ...others] = segments.filter(({ marker }) => FRAMES.includes(marker))
  const scans = segments.filter(({ marker }) => marker === MARKER.scan)
  const [first] = scans
  if (!frame || !first || others.length > 0 || segments.indexOf(first) < segments.indexOf(frame)) {
    return reject('IMAGE_DAMAGED')
  }
  if (scans.some(({ data }) => data.length < 6)) reject('IMAGE_DAMAGED')
  if (scans.length > IMAGE.scansMax) reject('IMAGE_TOO_COMPLEX')
  return readFrame(frame.data)
}

/** Fill bytes may precede a marker. A restart or a second start is damage here. */
function readMarker(reader: ByteReader): number {
  if (reader.uint8() !== 0xff) reject('IMAGE_DAMAGED')
  let marker = reader.uint8()
  while (marker === 0xff) marker = reader.uint8()
  return marker >= 0xc0 && marker !== MARKER.start ? marker : reject('IMAGE_DAMAGED')
}

function readFrame(data: Uint8Array): Sides {
  const reader = new ByteReader(data)
  reader.take(1) // precision
  const [height, width] = [reader.uint16(), reader.uint16()]
  const components = reader.uint8()
  if (components < 1 || components > 4 || data.length !== 6 + 3 * components) reject('IMAGE_DAMAGED')
  return checkSides(width, height)
}

/** Skips to the next marker other than a restart. A 0xff in the data is followed by 0. */
function skipEntropyCoded(reader: ByteReader): void {
  const { bytes } = reader
  for (;;) {
    const at = bytes.indexOf(0xff, reader.at)
    const next = bytes[at + 1]
    if (at < 0 || next === undefined) reject('IMAGE_DAMAGED')
    reader.at = at
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return
    reader.at = next === 0xff ? at + 1 : at + 2
  }
}

/** Keeps application data that changes how pixels are shown. Browsers cannot show arithmetic coding and the like. */
function toKept({ marker, data, body }: Segment): readonly Uint8Array[] {
  if (marker === MARKER.scan || FRAMES.includes(marker) || TABLES.includes(marker))
    return [Uint8Array.of(0xff, marker), body]
  const isJfif = marker === MARKER.app0 && startsWith(data, JFIF) && data.length >= JFIF_BYTES
  if (isJfif) return [toSegment(marker, concatBytes([data.subarray(0, JFIF_BYTES - 2), Uint8Array.of(0, 0)]))]
  const isAdobe = marker === MARKER.app14 && startsWith(data, ADOBE) && data.length >= ADOBE_BYTES
  if (isAdobe) return [toSegment(marker, data.subarray(0, ADOBE_BYTES))]
  const isLeftOut = (marker >= MARKER.app0 && marker <= 0xef) || marker === 0xfe
  return isLeftOut ? [] : reject('IMAGE_DAMAGED')
}

function toSegment(marker: number, data: Uint8Array): Uint8Array {
  const length = data.length + 2
  return concatBytes([Uint8Array.of(0xff, marker, length >> 8, length & 0xff), data])
}

const startsWith = (data: Uint8Array, text: string): boolean => latin1(text).every((byte, i) => data[i] === byte)
