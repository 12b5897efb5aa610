import { deflateSync } from 'node:zlib'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { UPLOAD } from '#contract/kernel/limits.ts'
import { concatBytes } from '#domain/file/image/image-bytes.ts'
import {
  GIF_END,
  JPEG_END,
  JPEG_SCAN,
  JPEG_START,
  createPng,
  gifExtension,
  gifFrame,
  gifHead,
  jpegFrame,
  jpegSegment,
  pngChunk,
  pngHeader,
  PNG_SIGNATURE,
} from '#tests/support/images.ts'
import type { CleanedImage, ImageToClean } from '#tests/support/clean-images.ts'

const MB = 1_048_576
/** As many times as an upload has room for. */
const fill = (part: Uint8Array, room = UPLOAD.maxBytes - 1_000): Uint8Array =>
  concatBytes(Array.from({ length: Math.floor(room / part.length) }, () => part))
const many = (count: number, part: Uint8Array): Uint8Array => concatBytes(Array.from({ length: count }, () => part))
const grey = (side: number) => pngHeader(side, side, [8, 0, 0, 0, 0])
const pngOf = (...chunks: readonly Uint8Array[]) => concatBytes([PNG_SIGNATURE, ...chunks, pngChunk('IEND')])

const BOMBS: readonly ImageToClean[] = [
  {
    what: 'a PNG that unpacks to 64 million pixels',
    type: 'png',
    bytes: pngOf(grey(8_000), pngChunk('IDAT', new Uint8Array(deflateSync(Buffer.alloc(8_000 * 8_001))))),
  },
  {
    what: 'a PNG of texts alone',
    type: 'png',
    bytes: createPng(4, 3, { before: [fill(pngChunk('tEXt'))] }),
  },
  { what: 'a PNG of empty pixels', type: 'png', bytes: pngOf(grey(4), fill(pngChunk('IDAT'))) },
  {
    what: 'a GIF of frames alone',
    type: 'gif',
    bytes: concatBytes([gifHead(8_000, 8_000), fill(gifFrame(0, 0, 1, 1)), GIF_END]),
  },
  {
    what: 'a GIF of comments alone',
    type: 'gif',
    bytes: concatBytes([gifHead(1, 1), fill(gifExtension(0xfe)), gifFrame(0, 0, 1, 1), GIF_END]),
  },
  {
    what: 'a JPEG of comments alone',
    type: 'jpg',
    bytes: concatBytes([JPEG_START, fill(jpegSegment(0xfe)), jpegFrame(4, 3), JPEG_SCAN, JPEG_END]),
  },
  {
    what: 'a JPEG of scans alone',
    type: 'jpg',
    bytes: concatBytes([JPEG_START, jpegFrame(8_000, 8_000, 0xc2), many(10_000, JPEG_SCAN), JPEG_END]),
  },
]

/** In a thread that ends where its heap is larger. */
function cleanWithin(maxOldGenerationSizeMb: number): Promise<readonly CleanedImage[]> {
  const thread = new Worker(new URL('../../support/clean-images.ts', import.meta.url), {
    workerData: BOMBS,
    resourceLimits: { maxOldGenerationSizeMb, maxYoungGenerationSizeMb: 4 },
  })
  return new Promise((resolve, reject) => {
    thread.once('message', resolve)
    thread.once('error', reject)
  })
}

it('account 5 · whatever an upload of 2 MB contains, cleaning it takes a few times its size', async () => {
  const cleaned = await cleanWithin(24)
  expect(cleaned.map(({ what }) => what)).toEqual(BOMBS.map(({ what }) => what))
  expect(cleaned.filter(({ bufferBytes }) => bufferBytes > 2 * UPLOAD.maxBytes + MB)).toEqual([])
})
