import { type Violation, violation } from '#contract/kernel/result.ts'
import { WORKBOOK } from '#contract/kernel/limits.ts'
import { type ZipEntry, parseZipDirectory } from './zip-directory.ts'

/* Guard of an uploaded workbook before anything is unpacked: its ZIP directory, names and declared sizes. */

/** Entries by `partKey`; null where two have the same one. */
export type WorkbookParts = ReadonlyMap<string, ZipEntry | null>

const CONTENT_TYPES = '[content_types].xml'

/** Macros, controls, embedded files and programs. Nothing of them is unpacked, but people pass such files on. */
const CODE_PART =
  /vbaproject|(^|\/)(macrosheets|activex|embeddings)\/|\.(exe|dll|com|bat|cmd|ps1|vb[es]|jse?|wsf|hta|ms[ip]|scr|lnk|jar|sh)$/
/** Paths out of the package, and names that programs read in different ways. */
// eslint-disable-next-line no-control-regex -- these are the ones to refuse
const HOSTILE_NAME = /^\/|^[a-z]:|(^|\/)(\.\.?|__proto__)(\/|$)|[\0-\x1f\x7f]/

/** Checks an upload. Parts may have any name and number; only those that are dangerous are listed. */
export function inspectWorkbook(bytes: Uint8Array): { readonly parts: WorkbookParts } | Violation {
  if (bytes.length > WORKBOOK.maxBytes) return violation('WORKBOOK_TOO_LARGE', { limit: WORKBOOK.maxBytes / 2 ** 20 })
  if (isEncryptedFile(bytes)) return violation('WORKBOOK_ENCRYPTED')
  const entries = parseZipDirectory(bytes)
  if (entries === null) return violation('WORKBOOK_INVALID')
  if (entries.some(({ isEncrypted }) => isEncrypted)) return violation('WORKBOOK_ENCRYPTED')
  const parts = byKey(entries)
  if (!parts.get(CONTENT_TYPES) || hasName(parts, HOSTILE_NAME)) return violation('WORKBOOK_INVALID')
  if (hasName(parts, CODE_PART)) return violation('WORKBOOK_MACROS')
  const unpacked = entries.reduce((sum, { size }) => sum + size, 0)
  const isTooComplex =
    entries.length > WORKBOOK.partsMax || unpacked > WORKBOOK.unpackedMaxBytes || entries.some(isBomb)
  return isTooComplex ? violation('WORKBOOK_TOO_COMPLEX') : { parts }
}

/** True for a ZIP with the directory of a workbook, of any size. */
export function isWorkbook(bytes: Uint8Array): boolean {
  const entries = parseZipDirectory(bytes) ?? []
  if (entries.length > WORKBOOK.partsMax || entries.some(({ isEncrypted }) => isEncrypted)) return false
  const parts = byKey(entries)
  const isSafe = !hasName(parts, HOSTILE_NAME) && !hasName(parts, CODE_PART)
  return isSafe && parts.has(CONTENT_TYPES) && hasName(parts, /(^|\/)workbook\d*\.xml$/)
}

function byKey(entries: readonly ZipEntry[]): WorkbookParts {
  const parts = new Map<string, ZipEntry | null>()
  for (const entry of entries) {
    const key = partKey(entry.name)
    parts.set(key, parts.has(key) ? null : entry)
  }
  return parts
}

/** Name by which a part is found (ECMA-376 part 2): letters of either case, escaped or not, behind either slash. */
export const partKey = (name: string): string =>
  name
    .replaceAll('\\', '/')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

const hasName = (parts: WorkbookParts, pattern: RegExp): boolean => [...parts.keys()].some((key) => pattern.test(key))

/** Small parts may be as regular as they like, such as a thousand equal styles. */
const isBomb = ({ size, packedSize }: ZipEntry): boolean =>
  size > WORKBOOK.ratioFloorBytes && size > packedSize * WORKBOOK.ratioMax

const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
const ENCRYPTED_STREAM = [...'EncryptedPackage'].flatMap((letter) => [letter.charCodeAt(0), 0])

/** True for a workbook with a password: a compound file around its encrypted bytes ([MS-OFFCRYPTO], 2.3.4.4). */
function isEncryptedFile(bytes: Uint8Array): boolean {
  if (!COMPOUND_FILE.every((byte, i) => bytes[i] === byte)) return false
  const [first = 0] = ENCRYPTED_STREAM
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (ENCRYPTED_STREAM.every((byte, i) => bytes[at + i] === byte)) return true
  }
  return false
}
