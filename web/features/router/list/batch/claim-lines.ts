import { codeText, visibleText } from '#contract/kernel/input/typed-text.ts'
import { readClaimHash } from '#lib/claim-link.ts'

/* Lines with a serial, an activation code and a note each, as they are pasted from a table or scanned from boxes. */

export interface ClaimLine {
  readonly serial: string
  /** Empty if the line has no whole code. */
  readonly code: string
  readonly note: string
}

/** Most lines of one paste: each is a write, and a session has 60 a minute. */
export const CLAIM_LINES_MAX = 50

const GAP = '[\\s,，;；]+'
const GROUP = '[0-9A-Za-z]{4}'
const LINE = new RegExp(
  `^([^\\s,，;；]+)(?:${GAP}(${GROUP}[-\\s]?${GROUP}[-\\s]?${GROUP})(?![0-9A-Za-z]))?(?:${GAP}(.*))?$`,
)
const LABEL = /^(?:S\/N|SN|序列号)\s*[:：]?\s*/i

function readLine(line: string): ClaimLine {
  const link = readClaimHash(/#\S+$/.exec(line)?.[0] ?? '')
  if (link !== null) return { ...link, note: '' }
  const found = [line, codeText(line)].map((text) => LINE.exec(text.replace(LABEL, '')))
  const [, serial = line, code = '', note = ''] = found.find((match) => match?.[2] !== undefined) ?? found[0] ?? []
  return { serial: codeText(serial), code, note: note.trim() }
}

/** Lines that are not blank, of each serial the first one. */
export function readClaimLines(text: string): readonly ClaimLine[] {
  const lines = text.split(/\r?\n/).map((line) => visibleText(line).trim())
  const claims = lines.filter((line) => line !== '').map(readLine)
  return [...new Map(claims.toReversed().map((claim) => [claim.serial.toUpperCase(), claim])).values()].toReversed()
}

/** Line as it is typed, for those that are to be corrected. */
export const toLine = ({ serial, code, note }: ClaimLine): string =>
  [serial, code, note].filter((part) => part !== '').join(' ')
