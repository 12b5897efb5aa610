import { deflateSync } from 'node:zlib'
import { concatBytes } from '#domain/file/image/image-bytes.ts'
import { crc32 } from '#domain/file/image/png.ts'

// Images as cameras and drawing programs write them, and parts of which hostile ones are made.

export const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))
export const PAYLOAD = '<script>alert(document.domain)</script>'

const uint32 = (value: number) => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value)
const uint16 = (value: number) => Uint8Array.of(value >>> 8, value)
const uint16Little = (value: number) => Uint8Array.of(value, value >>> 8)

// PNG

export const PNG_SIGNATURE = latin1('\x89PNG\r\n\x1a\n')

export function pngChunk(type: string, data: Uint8Array = new Uint8Array()): Uint8Array {
  const body = concatBytes([latin1(type), data])
  return concatBytes([uint32(data.length), body, uint32(crc32(body))])
}

/** Eight bits a sample, RGB. */
export const pngHeader = (width: number, height: number, rest: readonly number[] = [8, 2, 0, 0, 0]): Uint8Array =>
  pngChunk('IHDR', concatBytes([uint32(width), uint32(height), Uint8Array.from(rest)]))

/** Grey rows: what it decodes to does not matter. */
const pngPixels = (width: number, height: number): Uint8Array =>
  pngChunk(
    'IDAT',
    new Uint8Array(
      deflateSync(
        new Uint8Array((width * 3 + 1) * height).fill(0x60).map((byte, i) => (i % (width * 3 + 1) === 0 ? 0 : byte)),
      ),
    ),
  )

/** Sizes beyond what a test wants to pack are declared only. */
export function createPng(
  width = 4,
  height = 3,
  { before = [], after = [] }: { readonly before?: readonly Uint8Array[]; readonly after?: readonly Uint8Array[] } = {},
): Uint8Array {
  const pixels = width * height > 1_000_000 ? pngPixels(1, 1) : pngPixels(width, height)
  return concatBytes([PNG_SIGNATURE, pngHeader(width, height), ...before, pixels, pngChunk('IEND'), ...after])
}

// GIF

const GIF_PIXELS = Uint8Array.of(2, 2, 0x4c, 0x01, 0) // of one pixel, two bits
export const gifFrame = (left: number, top: number, width: number, height: number): Uint8Array =>
  concatBytes([Uint8Array.of(0x2c), ...[left, top, width, height].map(uint16Little), Uint8Array.of(0), GIF_PIXELS])
export const gifExtension = (label: number, ...blocks: readonly Uint8Array[]): Uint8Array =>
  concatBytes([
    Uint8Array.of(0x21, label),
    ...blocks.flatMap((block) => [Uint8Array.of(block.length), block]),
    Uint8Array.of(0),
  ])
export const GIF_END = Uint8Array.of(0x3b)
export const gifHead = (width: number, height: number): Uint8Array =>
  concatBytes([
    latin1('GIF89a'),
    uint16Little(width),
    uint16Little(height),
    Uint8Array.of(0x80, 0, 0, 0, 0, 0, 255, 255, 255),
  ])

export function createGif(
  width = 1,
  height = 1,
  { before = [], after = [] }: { readonly before?: readonly Uint8Array[]; readonly after?: readonly Uint8Array[] } = {},
): Uint8Array {
  return concatBytes([gifHead(width, height), ...before, gifFrame(0, 0, width, height), GIF_END, ...after])
}

// JPEG

export const jpegSegment = (marker: number, data: Uint8Array = new Uint8Array()): Uint8Array =>
  concatBytes([Uint8Array.of(0xff, marker), uint16(data.length + 2), data])
export const jpegFrame = (width: number, height: number, marker = 0xc0): Uint8Array =>
  jpegSegment(marker, concatBytes([Uint8Array.of(8), uint16(height), uint16(width), Uint8Array.of(1, 1, 0x11, 0)]))
/** Entropy-coded data with a stuffed byte and a restart in it. */
export const JPEG_SCAN = concatBytes([
  jpegSegment(0xda, Uint8Array.of(1, 1, 0, 0, 63, 0)),
  Uint8Array.of(0x12, 0xff, 0, 0x34, 0xff, 0xd3, 0x56),
])
export const JPEG_START = Uint8Array.of(0xff, 0xd8)
export const JPEG_END = Uint8Array.of(0xff, 0xd9)
export const JFIF = jpegSegment(0xe0, concatBytes([latin1('JFIF\0'), Uint8Array.of(1, 1, 0, 0, 72, 0, 72, 0, 0)]))

export function createJpeg(
  width = 4,
  height = 3,
  { before = [], after = [] }: { readonly before?: readonly Uint8Array[]; readonly after?: readonly Uint8Array[] } = {},
): Uint8Array {
  const tables = [jpegSegment(0xdb, new Uint8Array(65)), jpegSegment(0xc4, new Uint8Array(20))]
  return concatBytes([JPEG_START, JFIF, ...before, ...tables, jpegFrame(width, height), JPEG_SCAN, JPEG_END, ...after])
}

/** TIFF of a camera, with its orientation and its place. */
export function createTiff(orientation: number, isLittle = false): Uint8Array {
  const two = isLittle ? uint16Little : uint16
  const four = (value: number) => (isLittle ? uint32(value).reverse() : uint32(value))
  const entry = (tag: number, type: number, value: number) => [two(tag), two(type), four(1), two(value), two(0)]
  return concatBytes([
    latin1(isLittle ? 'II' : 'MM'),
    two(42),
    four(8),
    two(3),
    ...entry(0x010f, 2, 0x4e4c),
    ...entry(0x0112, 3, orientation),
    ...entry(0x8825, 4, 1), // GPS
    four(0),
    latin1('GPS 31.2304N 121.4737E'),
  ])
}
export const exifSegment = (tiff: Uint8Array): Uint8Array => jpegSegment(0xe1, concatBytes([latin1('Exif\0\0'), tiff]))
