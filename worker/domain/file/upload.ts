import { type Violation, violation } from '#contract/kernel/result.ts'
import { FILE_PURPOSES, FILE_TYPES, type FilePurpose, type FileType } from '#contract/file/index.ts'
import { isWorkbook } from '#domain/workbook/workbook-parts.ts'

/* Checks of an uploaded file: type by its bytes, size and name. */

export interface Upload {
  readonly bytes: Uint8Array
  /** File name from the upload, untrusted. */
  readonly name: string
  readonly purpose: FilePurpose
}

/** R2 object name. Keys are random, so their first two digits divide the bucket into 256 even parts. */
export const objectName = (key: string): string => `files/${key}`

/**
 * Stored type of an upload, or its refusal: checks size, magic bytes and extension. Chat programs call images of every type
 * .jpg, so an image may have the extension of another one of its purpose.
 */
export function checkUpload({ bytes, name, purpose }: Upload): { readonly type: FileType } | Violation {
  const { types, maxBytes, noun } = FILE_PURPOSES[purpose]
  if (bytes.length === 0) return violation('FILE_EMPTY', { noun })
  if (bytes.length > maxBytes) return violation('FILE_TOO_LARGE', { noun, limit: maxBytes / 2 ** 20 })
  const type = detectFileType(bytes)
  const isTaken = type !== null && (types as readonly FileType[]).includes(type)
  const extension = /\.([a-z]+)$/i.exec(name.trim())?.[1]?.toLowerCase() ?? ''
  if (!isTaken || !extensionsOf(type, types).includes(extension)) return violation('FILE_TYPE', { noun })
  return isPlainName(name) ? { type } : violation('FILE_NAME', { noun })
}

function extensionsOf(type: FileType, types: readonly FileType[]): readonly string[] {
  const isSame = (other: FileType) => other === type || (FILE_TYPES[type].isImage && FILE_TYPES[other].isImage)
  return types.filter(isSame).flatMap((other) => FILE_TYPES[other].extensions)
}

/** True without folders, invisible characters and changes of text direction. No browser sends such a name. */
const isPlainName = (name: string): boolean => !/[/\\]|\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u.test(name)

type Signature = readonly [offset: number, text: string]

/** Magic bytes, one character per byte. All signatures of a type must match. */
const MAGIC: readonly (readonly [type: FileType, ...signatures: Signature[]])[] = [
  ['png', [0, '\x89PNG\r\n\x1a\n'], [12, 'IHDR']],
  ['jpg', [0, '\xff\xd8\xff']],
  ['gif', [0, 'GIF87a']],
  ['gif', [0, 'GIF89a']],
  ['webp', [0, 'RIFF'], [8, 'WEBPVP8']],
  ['pdf', [0, '%PDF-']],
]

/** Type by magic bytes, or null if not accepted. Name and declared type are ignored. */
export function detectFileType(bytes: Uint8Array): FileType | null {
  const magic = MAGIC.find(([, ...signatures]) =>
    signatures.every(([offset, text]) => latin1(bytes, offset, offset + text.length) === text),
  )
  if (magic) return magic[0]
  if (latin1(bytes, 0, 2) === 'PK') return isWorkbook(bytes) ? 'xlsx' : null
  if (!isText(bytes)) return null
  if (isCertificate(bytes)) return 'pem'
  return isMarkupOrScript(bytes) ? null : 'txt'
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  let text = ''
  for (const byte of bytes.subarray(from, to)) text += String.fromCharCode(byte)
  return text
}

/** No control characters but white space: UTF-8, GBK and plain ASCII pass, programs and UTF-16 do not. */
const isText = (bytes: Uint8Array): boolean =>
  !['\xff\xfe', '\xfe\xff'].includes(latin1(bytes, 0, 2)) &&
  bytes.every((byte) => (byte >= 0x20 && byte !== 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d)

const CERTIFICATE = /-----BEGIN CERTIFICATE-----\r?\n[A-Za-z0-9+/=\r\n]+-----END CERTIFICATE-----/

/** True for a certificate (RFC 7468), also with comments around it. Private keys are refused. */
function isCertificate(bytes: Uint8Array): boolean {
  const text = latin1(bytes, 0, bytes.length)
  return CERTIFICATE.test(text) && !text.includes('PRIVATE KEY-----')
}

/** True if a tag or an interpreter's name comes first, after a byte order mark and white space. */
const isMarkupOrScript = (bytes: Uint8Array): boolean => /^(\xef\xbb\xbf)?\s*(<|#!)/.test(latin1(bytes, 0, 512))

/** Name of a stored file, with an extension of its type. */
export function toStoredName(sent: string, type: FileType): string {
  const name = toFileName(sent)
  const extensions: readonly string[] = FILE_TYPES[type].extensions
  return name.replace(/\.([a-z]{1,10})$/, (ending, extension: string) =>
    extensions.includes(extension) ? ending : `.${extensions[0]}`,
  )
}

const NAME_MAX = 100

/** File name without folders, invisible characters and changes of text direction; never empty. */
export function toFileName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? ''
  const visible = base
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .trim()
  const [, stem = visible, extension = ''] = /^(.*?)(\.[a-z]{1,10})?$/is.exec(visible) ?? []
  return `${[...(stem || 'file')].slice(0, NAME_MAX - extension.length).join('')}${extension.toLowerCase()}`
}
