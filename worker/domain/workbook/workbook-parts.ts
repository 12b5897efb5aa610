import { type Violation, violation } from '#contract/kernel/result.ts'
import { WORKBOOK } from '#contract/kernel/limits.ts'
import { type ZipEntry, parseZipDirectory } from './zip.ts'

/* Checks an uploaded Excel workbook: the parts and sizes in its ZIP directory, and plain XML. */

/** Parts of an Office Open XML workbook without macros or embedded programs, as Excel, WPS and LibreOffice write them. */
const PART_NAME = /^(\[Content_Types\]\.xml|_rels\/(\.rels)?|docProps\/[\w.-]*|customXml\/[\w./-]*|xl\/[\w./-]*)$/
const FOREIGN_PART = /(^|\/)\.\.?(\/|$)|vbaProject|\/(embeddings|activeX|externalLinks|macrosheets)\//i
const REQUIRED_PARTS = ['[Content_Types].xml', 'xl/workbook.xml'] as const

/** Checks parts and sizes before anything is unpacked. */
export function inspectWorkbook(bytes: Uint8Array): { readonly parts: readonly ZipEntry[] } | Violation {
  if (bytes.length > WORKBOOK.maxBytes) return violation('WORKBOOK_TOO_LARGE', { limit: WORKBOOK.maxBytes / 2 ** 20 })
  const entries = parseZipDirectory(bytes, WORKBOOK.partsMax)
  if (!entries || !hasWorkbookParts(entries)) return violation('WORKBOOK_INVALID')
  const unpacked = entries.reduce((sum, { size }) => sum + size, 0)
  const isBomb = entries.some(({ size, packedSize }) => size > packedSize * WORKBOOK.ratioMax)
  if (unpacked > WORKBOOK.unpackedMaxBytes || isBomb) return violation('WORKBOOK_TOO_COMPLEX')
  return { parts: entries.filter(isXmlPart) }
}

/** True for a ZIP with the directory of a workbook, of any size. */
export function isWorkbook(bytes: Uint8Array): boolean {
  const entries = parseZipDirectory(bytes, WORKBOOK.partsMax)
  return entries !== null && hasWorkbookParts(entries)
}

const hasWorkbookParts = (entries: readonly ZipEntry[]): boolean =>
  REQUIRED_PARTS.every((part) => entries.some(({ name }) => name === part)) &&
  entries.every(({ name }) => PART_NAME.test(name) && !FOREIGN_PART.test(name))

/** Pictures, printer settings and the like are not unpacked. */
const isXmlPart = ({ name, size }: ZipEntry): boolean => size > 0 && /\.(xml|rels)$/i.test(name)

/**
 * False for XML that is not UTF-8 or declares a document type (entities, external files). Office writes neither. Raw bytes
 * are compared, so that no encoding hides a declaration: without NUL and byte order marks of UTF-16, ASCII stands for
 * itself.
 */
export function isPlainXml(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes
  if ((first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe)) return false
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 0) return false
    if (bytes[at] === LESS_THAN && bytes[at + 1] === EXCLAMATION && isLetter(bytes[at + 2] ?? 0)) return false
  }
  return hasUtf8Declaration(bytes)
}

const LESS_THAN = 0x3c
const EXCLAMATION = 0x21
/** `<!D`, `<!E`: a declaration. Comments (`<!-`) and CDATA (`<![`) are none. */
const isLetter = (byte: number) => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)

function hasUtf8Declaration(bytes: Uint8Array): boolean {
  const head = String.fromCharCode(...bytes.subarray(0, 256))
  const encoding = /^[^>]*?encoding\s*=\s*["']([\w-]+)["']/.exec(head)?.[1] ?? 'utf-8'
  return encoding.toLowerCase() === 'utf-8'
}
