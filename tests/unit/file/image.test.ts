import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanImage } from '#domain/file/image/clean-image.ts'
import { readOrientation } from '#domain/file/image/exif.ts'
import { type CleanImage, concatBytes } from '#domain/file/image/image-bytes.ts'
import {
  JFIF,
  JPEG_END,
  JPEG_SCAN,
  JPEG_START,
  PAYLOAD,
  createGif,
  createJpeg,
  createPng,
  createTiff,
  exifSegment,
  gifExtension,
  gifFrame,
  jpegFrame,
  jpegSegment,
  latin1,
  pngChunk,
} from '#tests/support/images.ts'

const payload = latin1(PAYLOAD)
const MAKERS = { png: createPng, gif: createGif, jpg: createJpeg } as const
type ImageType = keyof typeof MAKERS
const TYPES = Object.keys(MAKERS) as ImageType[]
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const clean = (type: ImageType, bytes: Uint8Array): CleanImage => {
  const result = cleanImage(type, bytes)
  if (result === null || typeof result === 'string') throw new Error(String(result))
  return result
}

describe('account 5 · an image without metadata', () => {
  it.each(TYPES)('%s stays byte for byte', (type) => {
    const bytes = MAKERS[type]()
    expect(clean(type, bytes).bytes).toEqual(bytes)
  })
  it.each(TYPES)('%s: its size is read from the header', (type) => {
    expect(clean(type, MAKERS[type](640, 480))).toMatchObject({ width: 640, height: 480 })
    expect(cleanImage(type, MAKERS[type](8_000, 8_000))).toMatchObject({ width: 8_000, height: 8_000 })
    expect(cleanImage(type, MAKERS[type](8_001, 1))).toBe('IMAGE_TOO_WIDE')
    expect(cleanImage(type, MAKERS[type](1, 8_001))).toBe('IMAGE_TOO_WIDE')
    expect(cleanImage(type, MAKERS[type](0, 1))).toBe('IMAGE_DAMAGED')
  })
  it.each(TYPES)('%s: what stands behind its end is cut', (type) => {
    expect(clean(type, MAKERS[type](4, 3, { after: [payload] })).bytes).toEqual(MAKERS[type](4, 3))
  })
})

describe('account 5 · metadata is removed, pixels are not', () => {
  it.each([
    [
      'png',
      createPng(4, 3, { before: [pngChunk('tEXt', payload), pngChunk('iCCP', payload), pngChunk('acTL', payload)] }),
    ],
    ['png', createPng(4, 3, { before: [pngChunk('eXIf', createTiff(1))] })],
    [
      'gif',
      createGif(4, 3, { before: [gifExtension(0xfe, payload), gifExtension(0xff, latin1('XMP DataXMP'), payload)] }),
    ],
    [
      'jpg',
      createJpeg(4, 3, {
        before: [jpegSegment(0xfe, payload), jpegSegment(0xe2, payload), exifSegment(createTiff(1))],
      }),
    ],
  ] as const)('%s', (type, bytes) => {
    expect(clean(type, bytes).bytes).toEqual(MAKERS[type](4, 3))
  })
  it('a GIF keeps delays and loops', () => {
    const delay = gifExtension(0xf9, Uint8Array.of(4, 10, 0, 0))
    const loop = gifExtension(0xff, latin1('NETSCAPE2.0'), Uint8Array.of(1, 0, 0))
    const bytes = createGif(4, 3, { before: [loop, delay, gifFrame(1, 1, 2, 2), delay] })
    expect(clean('gif', bytes).bytes).toEqual(bytes)
  })
  it('a JPEG keeps JFIF without its thumbnail, and how Adobe transforms colours', () => {
    const thumbnail = jpegSegment(
      0xe0,
      concatBytes([latin1('JFIF\0'), Uint8Array.of(1, 1, 0, 0, 72, 0, 72, 5, 5), payload]),
    )
    const adobe = jpegSegment(0xee, concatBytes([latin1('Adobe'), new Uint8Array(7)]))
    const rest = [jpegSegment(0xdb, new Uint8Array(65)), jpegFrame(4, 3), JPEG_SCAN, JPEG_END]
    const { bytes } = clean('jpg', concatBytes([JPEG_START, thumbnail, adobe, ...rest]))
    expect(bytes).toEqual(concatBytes([JPEG_START, JFIF, adobe, ...rest]))
  })
})

describe('account 5 · an orientation stays, alone', () => {
  it.each([
    ['png', (tiff: Uint8Array) => createPng(4, 3, { before: [pngChunk('eXIf', tiff)] })],
    ['jpg', (tiff: Uint8Array) => createJpeg(4, 3, { before: [exifSegment(tiff)] })],
  ] as const)('%s', (type, make) => {
    for (const isLittle of [false, true]) {
      const { bytes } = clean(type, make(createTiff(6, isLittle)))
      expect(text(bytes)).not.toContain('GPS')
      const at = text(bytes).indexOf('MM\0*')
      expect(readOrientation(bytes.subarray(at))).toBe(6)
      expect(bytes.length).toBe(MAKERS[type](4, 3).length + (type === 'png' ? 12 : 10) + 26)
      expect(clean(type, bytes).bytes).toEqual(bytes)
    }
  })
  it.each([0, 9, 65_535])('one of %i is none', (orientation) => {
    expect(readOrientation(createTiff(orientation))).toBe(1)
  })
  it('of whatever bytes is one of eight', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const tiff = concatBytes([latin1('MM\0*'), bytes])
        expect([1, 2, 3, 4, 5, 6, 7, 8]).toContain(readOrientation(tiff))
      }),
    )
  })
})

describe('of any bytes', () => {
  it.each(TYPES)('%s, cut anywhere, is damaged', (type) => {
    const bytes = MAKERS[type](4, 3)
    for (let length = 12; length < bytes.length; length++)
      expect(cleanImage(type, bytes.subarray(0, length))).toBe('IMAGE_DAMAGED')
  })
  it.each(TYPES)('%s: cleaning again changes nothing, and nothing foreign is in it', (type) => {
    const whole = MAKERS[type](4, 3)
    fc.assert(
      fc.property(fc.nat(whole.length), fc.uint8Array({ maxLength: 40 }), fc.boolean(), (at, noise, isInserted) => {
        const rest = whole.subarray(isInserted ? at : Math.min(at + noise.length, whole.length))
        const result = cleanImage(type, concatBytes([whole.subarray(0, at), noise, rest]))
        if (result === null || typeof result === 'string') return
        expect(cleanImage(type, result.bytes)).toEqual(result)
        expect(result.bytes.length).toBeLessThanOrEqual(whole.length + noise.length + 40)
      }),
      { numRuns: 500 },
    )
  })
})
