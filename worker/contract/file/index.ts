import * as z from 'zod'
import { read } from '#contract/kernel/endpoint.ts'
import { HANDBOOK } from '#contract/document/limits.ts'
import { UPLOAD } from '#contract/kernel/limits.ts'

/* Endpoint of uploaded files, with their types, purposes and limits of images. */

interface FileTypeEntry {
  /** Content type for browsers, never that of the uploader. */
  readonly mediaType: string
  readonly extensions: readonly string[]
  /** True: a page may show the file inline. False: download only. */
  readonly isImage: boolean
}

/** Accepted types. No SVG and no HTML: both run scripts. */
export const FILE_TYPES = {
  png: { mediaType: 'image/png', extensions: ['png'], isImage: true },
  jpg: { mediaType: 'image/jpeg', extensions: ['jpg', 'jpeg'], isImage: true },
  gif: { mediaType: 'image/gif', extensions: ['gif'], isImage: true },
  webp: { mediaType: 'image/webp', extensions: ['webp'], isImage: true },
  pdf: { mediaType: 'application/pdf', extensions: ['pdf'], isImage: false },
  xlsx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extensions: ['xlsx'],
    isImage: false,
  },
  pem: { mediaType: 'application/x-pem-file', extensions: ['pem', 'crt', 'cer', 'cert'], isImage: false },
  txt: { mediaType: 'text/plain; charset=utf-8', extensions: ['txt', 'log'], isImage: false },
} as const satisfies Record<string, FileTypeEntry>
export type FileType = keyof typeof FILE_TYPES

interface PurposeEntry {
  readonly types: readonly FileType[]
  readonly maxBytes: number
  /** Noun for refusal messages. */
  readonly noun: string
}

export const FILE_PURPOSES = {
  ticket_image: { types: ['png', 'jpg', 'gif'], maxBytes: UPLOAD.maxBytes, noun: '图片' }, // account 5
  ticket_file: {
    types: ['png', 'jpg', 'gif', 'webp', 'pdf', 'xlsx', 'txt'],
    maxBytes: UPLOAD.maxBytes,
    noun: '文件',
  }, // account 5
  announcement_image: { types: ['png', 'jpg', 'gif'], maxBytes: UPLOAD.maxBytes, noun: '图片' },
  handbook_image: { types: ['png'], maxBytes: HANDBOOK.imageMaxBytes, noun: '图片' },
  ldap_ca: { types: ['pem'], maxBytes: UPLOAD.maxBytes, noun: '文件' }, // directory 5
} as const satisfies Record<string, PurposeEntry>
export type FilePurpose = keyof typeof FILE_PURPOSES

/** Limits of an uploaded image: pixels, and work of the decoder. All are ours except `sideMax`. */
export const IMAGE = {
  sideMax: 8_000,
  framePixelsMax: 512_000_000, // of all frames of a GIF together
  scansMax: 100, // of a progressive JPEG
  partsMax: 10_000, // chunks, segments, frames
} as const

const text = z.string().default('') // a missing or malformed value is treated as an unknown file

export const fileApi = {
  content: read('file/content', 'public', {
    summary: 'The bytes of a file, by a signed address that is good for 10 minutes',
    input: z.object({ key: text, expires: text, sign: text }),
    reply: 'file',
    output: z.unknown(),
    example: { key: '0'.repeat(32), expires: '0', sign: 'x' },
  }),
} as const
