import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { ERRORS, type ErrorKey, toMessage } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { IMAGE } from '#contract/file/index.ts'
import { ticketApi } from '#contract/ticket/index.ts'
import { TICKET } from '#contract/ticket/limits.ts'
import { concatBytes } from '#domain/file/image/image-bytes.ts'
import { attempts } from '#db/schema/accounts.ts'
import { files } from '#db/schema/files.ts'
import { deleteOrphanFiles } from '#features/file/orphans.ts'
import { type Caller, createMainAccount, createSubAccount, selectAudits } from '#tests/support/fixtures.ts'
import {
  GIF_END,
  JFIF,
  JPEG_END,
  JPEG_SCAN,
  JPEG_START,
  PAYLOAD,
  PNG_SIGNATURE,
  createGif,
  createJpeg,
  createPng,
  createTiff,
  exifSegment,
  gifExtension,
  gifFrame,
  gifHead,
  jpegFrame,
  jpegSegment,
  latin1,
  pngChunk,
  pngHeader,
} from '#tests/support/images.ts'
import { db, refusal, request } from '#tests/support/test-worker.ts'
import { forgeZip } from '#tests/support/zip-builder.ts'
import { imageFile, submitTicket, uploadImage } from '#tests/support/tickets.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const HOUR_MS = 3_600_000
const payload = latin1(PAYLOAD)
const zip = forgeZip([{ name: 'run.exe', data: 'MZ' }])
const many = (count: number, part: Uint8Array): Uint8Array => concatBytes(Array.from({ length: count }, () => part))
const jpegOf = (...segments: readonly Uint8Array[]) => concatBytes([JPEG_START, ...segments, JPEG_END])
const pngOf = (...chunks: readonly Uint8Array[]) => concatBytes([PNG_SIGNATURE, ...chunks])
const IDAT = pngChunk('IDAT', latin1('x\x9cc`\0\0\0\x02\0\x01'))
const IEND = pngChunk('IEND')
const broken = (bytes: Uint8Array, at: number) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))

let owner: Caller
beforeAll(async () => {
  owner = await createMainAccount()
})
const upload = (file: File, caller = owner) => caller.call(ticketApi.uploadFile, { file })
const send = (name: string, bytes: Uint8Array) => upload(imageFile(name, bytes))
const rowsOf = ({ accountId }: Caller) => db.select().from(files).where(eq(files.accountId, accountId))
const countObjects = async () => (await env.FILES.list()).objects.length

const PNG = createPng()
type Hostile = readonly [what: string, name: string, bytes: Uint8Array, reason: ErrorKey]
const HOSTILE: readonly Hostile[] = [
  // nothing of an image
  ['nothing', 'a.png', new Uint8Array(), 'FILE_EMPTY'],
  ['an SVG', 'a.svg', latin1('<svg onload="alert(1)"/>'), 'FILE_TYPE'],
  ['an SVG that is called PNG', 'a.png', latin1('<svg onload="alert(1)"/>'), 'FILE_TYPE'],
  ['an SVG behind a declaration', 'a.gif', latin1('<?xml version="1.0"?><svg/>'), 'FILE_TYPE'],
  ['HTML', 'a.jpg', latin1('<!doctype html><script>alert(1)</script>'), 'FILE_TYPE'],
  ['a shell script', 'a.png', latin1('#!/bin/sh\nrm -rf /'), 'FILE_TYPE'],
  ['JavaScript', 'a.png', latin1('alert(1)'), 'FILE_TYPE'],
  ['a program (PE)', 'a.png', latin1('MZ\x90\0\x03'), 'FILE_TYPE'],
  ['a program (ELF)', 'a.gif', latin1('\x7fELF\x02\x01'), 'FILE_TYPE'],
  ['a ZIP', 'a.png', zip, 'FILE_TYPE'],
  ['a PDF', 'a.png', latin1('%PDF-1.7'), 'FILE_TYPE'],
  ['a WebP', 'a.png', latin1('RIFF\x24\0\0\0WEBPVP8 '), 'FILE_TYPE'],
  ['a BMP', 'a.png', latin1('BM\x36\0\0\0'), 'FILE_TYPE'],
  ['a TIFF', 'a.jpg', createTiff(1), 'FILE_TYPE'],
  ['an AVIF', 'a.jpg', latin1('\0\0\0\x1cftypavif'), 'FILE_TYPE'],
  ['a byte order mark before a PNG', 'a.png', concatBytes([latin1('\xef\xbb\xbf'), PNG]), 'FILE_TYPE'],
  // names
  ['a double extension (HTML)', 'a.png.html', PNG, 'FILE_TYPE'],
  ['a double extension (EXE)', 'invoice.png.exe', PNG, 'FILE_TYPE'],
  ['a double extension (SVG)', 'a.png.svg', PNG, 'FILE_TYPE'],
  ['no extension', 'png', PNG, 'FILE_TYPE'],
  ['a path upwards', '../../etc/cron.d/a.png', PNG, 'FILE_NAME'],
  ['an absolute path', '/etc/passwd.png', PNG, 'FILE_NAME'],
  ['a path of Windows', 'C:\\Windows\\a.png', PNG, 'FILE_NAME'],
  ['a name that reads backwards', 'exe.\u202egnp.png', PNG, 'FILE_NAME'],
  // sizes
  ['a PNG of 8,001 columns', 'a.png', createPng(8_001, 1), 'IMAGE_TOO_WIDE'],
  ['a PNG of 8,001 rows', 'a.png', createPng(1, 8_001), 'IMAGE_TOO_WIDE'],
  ['a PNG of four billion pixels a side', 'a.png', createPng(0xffffffff, 0xffffffff), 'IMAGE_TOO_WIDE'],
  ['a GIF of 8,001 columns', 'a.gif', createGif(8_001, 1), 'IMAGE_TOO_WIDE'],
  [
    'a GIF whose frame stands out',
    'a.gif',
    concatBytes([gifHead(10, 10), gifFrame(7_999, 0, 2, 2), GIF_END]),
    'IMAGE_TOO_WIDE',
  ],
  ['a JPEG of 65,535 columns', 'a.jpg', createJpeg(65_535, 1), 'IMAGE_TOO_WIDE'],
  ['a PNG without a width', 'a.png', createPng(0, 1), 'IMAGE_DAMAGED'],
  ['a JPEG whose height comes later', 'a.jpg', createJpeg(4, 0), 'IMAGE_DAMAGED'],
  // bombs
  [
    'a GIF of nine frames of 64 million pixels',
    'a.gif',
    concatBytes([gifHead(8_000, 8_000), many(9, gifFrame(0, 0, 8_000, 8_000)), GIF_END]),
    'IMAGE_TOO_COMPLEX',
  ],
  [
    'a GIF of 10,001 frames',
    'a.gif',
    concatBytes([gifHead(1, 1), many(10_001, gifFrame(0, 0, 1, 1)), GIF_END]),
    'IMAGE_TOO_COMPLEX',
  ],
  [
    'a JPEG of 101 scans',
    'a.jpg',
    jpegOf(jpegFrame(4, 3, 0xc2), many(IMAGE.scansMax + 1, JPEG_SCAN)),
    'IMAGE_TOO_COMPLEX',
  ],
  [
    'a JPEG of 10,001 comments',
    'a.jpg',
    jpegOf(many(10_001, jpegSegment(0xfe)), jpegFrame(4, 3), JPEG_SCAN),
    'IMAGE_TOO_COMPLEX',
  ],
  [
    'a PNG of 10,001 chunks',
    'a.png',
    pngOf(pngHeader(4, 3), many(10_001, pngChunk('IDAT')), IEND),
    'IMAGE_TOO_COMPLEX',
  ],
  // truncated and damaged
  ['a PNG cut in its header', 'a.png', PNG.subarray(0, 20), 'IMAGE_DAMAGED'],
  ['a PNG without its end', 'a.png', PNG.subarray(0, PNG.length - 12), 'IMAGE_DAMAGED'],
  ['a PNG without pixels', 'a.png', pngOf(pngHeader(4, 3), IEND), 'IMAGE_DAMAGED'],
  ['a PNG with a wrong checksum', 'a.png', broken(PNG, PNG.length - 20), 'IMAGE_DAMAGED'],
  [
    'a PNG whose chunk is longer than the file',
    'a.png',
    pngOf(pngHeader(4, 3), latin1('\x7f\xff\xff\xffIDAT')),
    'IMAGE_DAMAGED',
  ],
  ['a PNG of 3 bits', 'a.png', pngOf(pngHeader(4, 3, [3, 2, 0, 0, 0]), IDAT, IEND), 'IMAGE_DAMAGED'],
  ['a PNG with two headers', 'a.png', pngOf(pngHeader(4, 3), pngHeader(8_001, 1), IDAT, IEND), 'IMAGE_DAMAGED'],
  [
    'a PNG with an unknown critical chunk',
    'a.png',
    createPng(4, 3, { before: [pngChunk('EVIL', payload)] }),
    'IMAGE_DAMAGED',
  ],
  ['a GIF cut in a frame', 'a.gif', createGif().subarray(0, 32), 'IMAGE_DAMAGED'],
  ['a GIF without frames', 'a.gif', concatBytes([gifHead(1, 1), GIF_END]), 'IMAGE_DAMAGED'],
  ['a GIF that is a script: GIF89a=…', 'a.gif', latin1('GIF89a/*\0\0\0\0\0*/=alert(1)//'), 'IMAGE_DAMAGED'],
  ['a JPEG that is only its magic', 'a.jpg', latin1('\xff\xd8\xff\xe0'), 'IMAGE_DAMAGED'],
  ['a JPEG that goes on as HTML', 'a.jpg', latin1(`\xff\xd8\xff\xe0${PAYLOAD}`), 'IMAGE_DAMAGED'],
  ['a JPEG without its end', 'a.jpg', createJpeg().subarray(0, -2), 'IMAGE_DAMAGED'],
  ['a JPEG with two frames', 'a.jpg', jpegOf(jpegFrame(4, 3), jpegFrame(8_001, 1), JPEG_SCAN), 'IMAGE_DAMAGED'],
  ['a JPEG whose scan comes first', 'a.jpg', jpegOf(JPEG_SCAN, jpegFrame(4, 3)), 'IMAGE_DAMAGED'],
  ['a lossless JPEG', 'a.jpg', jpegOf(JFIF, jpegFrame(4, 3, 0xc3), JPEG_SCAN), 'IMAGE_DAMAGED'],
]

describe('account 5 · hostile uploads are refused with their sentence, and nothing is stored', () => {
  it('each file has its sentence, and leaves neither row nor object', async () => {
    const offenders = await findOffenders(HOSTILE)(async (_, name, bytes, reason) => {
      const before = await countObjects()
      const answer = await send(name, bytes)
      const params = { noun: '图片', limit: reason === 'IMAGE_TOO_WIDE' ? IMAGE.sideMax : 2 }
      expect(answer).toMatchObject({ code: 422, data: { field: 'file' } })
      // the form checks extensions itself, in the same words
      expect(answer.msg).toBe(toMessage(violation(reason, params)))
      expect(await rowsOf(owner)).toEqual([])
      expect(await countObjects()).toBe(before)
    })
    expect(offenders).toEqual([])
  })
  it.each(['a.html\0.png', 'a\r\nset-cookie: x.png'])('a name that breaks out of its form: %j', async (name) => {
    expect(await send(name, PNG)).toMatchObject({ code: 422 })
    expect(await rowsOf(owner)).toEqual([])
  })
  it('are forty at least', () => expect(HOSTILE.length).toBeGreaterThanOrEqual(40))
  it('one byte more than 2 MB', async () => {
    const bytes = concatBytes([PNG, new Uint8Array(2_097_153 - PNG.length)])
    expect(await send('a.png', bytes)).toMatchObject({ code: 422, msg: '图片大小不能超过 2MB!' })
  })
  it('a body beyond its limit is not read', async () => {
    const answer = await upload(imageFile('a.png', new Uint8Array(3_000_000)))
    expect(answer).toMatchObject({ status: 413, ...refusal('BODY_TOO_LARGE') })
  })
  it('a form that is cut half-way leaves nothing', async () => {
    const before = await countObjects()
    const form = latin1('--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n')
    for (const bytes of [form, concatBytes([form, PNG]), concatBytes([form, PNG.subarray(0, 30)])]) {
      const response = await request('/api/v1/ticket/upload_file', {
        method: 'POST',
        headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'multipart/form-data; boundary=b' },
        body: bytes,
      })
      expect(await response.json()).toMatchObject({ code: 422 })
    }
    expect(await countObjects()).toBe(before)
    expect(await rowsOf(owner)).toEqual([])
  })
  it('no sentence of it is missing', () => {
    for (const [, , , reason] of HOSTILE) expect(ERRORS[reason].msg).not.toBe('')
  })
})

describe('account 5 · polyglots are stored as the image that they are', () => {
  it.each<readonly [string, string, Uint8Array, Uint8Array]>([
    ['HTML behind a PNG', 'a.png', createPng(4, 3, { after: [payload] }), PNG],
    ['a ZIP behind a GIF', 'a.gif', createGif(1, 1, { after: [zip] }), createGif()],
    ['a ZIP behind a JPEG', 'a.jpg', createJpeg(4, 3, { after: [zip] }), createJpeg()],
    ['a second JPEG behind the first', 'a.jpeg', createJpeg(4, 3, { after: [createJpeg(9, 9)] }), createJpeg()],
    ['HTML in a text chunk', 'a.png', createPng(4, 3, { before: [pngChunk('tEXt', payload)] }), PNG],
    ['HTML in a GIF’s comment', 'a.gif', createGif(1, 1, { before: [gifExtension(0xfe, payload)] }), createGif()],
    ['HTML in a JPEG’s comment', 'a.jpg', createJpeg(4, 3, { before: [jpegSegment(0xfe, payload)] }), createJpeg()],
    ['a camera’s place', 'a.jpg', createJpeg(4, 3, { before: [exifSegment(createTiff(1))] }), createJpeg()],
    ['a name that was a program', 'run.exe.png', PNG, PNG],
  ])('%s', async (_, name, bytes, stored) => {
    const main = await createMainAccount()
    const { data } = await main.call(ticketApi.uploadFile, { file: imageFile(name, bytes) })
    const response = await request(data.src)
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(stored)
    expect(response.headers.get('content-type')).toMatch(/^image\/(png|gif|jpeg)$/)
    expect(response.headers.get('content-disposition')).toMatch(/^inline; filename\*=UTF-8''[\w.]+\.(png|gif|jpe?g)$/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('account 7 · ticket/upload_file', () => {
  it('takes an image by its bytes: a PNG that a chat program called .jpg is stored as the PNG that it is', async () => {
    const main = await createMainAccount()
    const { data, ...answer } = await upload(imageFile('微信图片_1.jpg'), main)
    expect(answer).toMatchObject({ code: 200 })
    expect((await rowsOf(main)).map(({ name, type }) => [name, type])).toEqual([['微信图片_1.png', 'png']])
    expect((await request(data.src)).headers.get('content-type')).toBe('image/png')
  })
  it('answers the id and a same-origin address, in two round trips with an audit row', async () => {
    const main = await createMainAccount()
    const { data, ...answer } = await upload(imageFile(), main)
    expect(answer).toMatchObject({ code: 200, trips: 2 })
    expect(data.src).toMatch(/^\/api\/v1\/file\/content\?key=[0-9a-f]{32}&expires=\d{13}&sign=/)
    expect(data.src).toContain(data.file_id)
    expect((await selectAudits(main.accountId)).map(({ action }) => action)).toEqual(['upload_file'])
  })
  it('of a person twenty an hour; what is refused counts nothing, and others are not concerned', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main)
    for (let i = 0; i < 25; i++) await upload(imageFile('a.gif', payload), sub)
    await db.insert(attempts).values({
      key: `ticket_upload:ram:${sub.ramId}`,
      count: TICKET.uploadRate.limit - 1,
      windowEnd: Date.now() + HOUR_MS,
    })
    expect(await upload(imageFile(), sub)).toMatchObject({ code: 200 })
    const before = await countObjects()
    expect(await upload(imageFile(), sub)).toMatchObject({ code: 429, reason: 'TOO_OFTEN' })
    expect(await countObjects()).toBe(before)
    expect(await upload(imageFile(), main)).toMatchObject({ code: 200 })
  })
  it('an upload without a ticket is deleted after a day; one of a ticket stays', async () => {
    const main = await createMainAccount()
    const [used, unused] = [await uploadImage(main), await uploadImage(main)]
    await submitTicket(main, { file_ids: [used] })
    await deleteOrphanFiles(db, env.FILES, Date.now() + 23 * HOUR_MS)
    expect(await rowsOf(main)).toHaveLength(2)
    await deleteOrphanFiles(db, env.FILES, Date.now() + 25 * HOUR_MS)
    expect((await rowsOf(main)).map(({ key }) => key)).toEqual([used])
    expect(await env.FILES.head(`files/${unused}`)).toBeNull()
    expect(await env.FILES.head(`files/${used}`)).not.toBeNull()
  })
})
