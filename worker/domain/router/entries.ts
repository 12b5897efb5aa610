import { ENTRIES } from '#contract/device/limits.ts'

/* Further addresses by which devices reach the service, in the order of the operator. */

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const ENTRY = new RegExp(String.raw`^https://${LABEL}(?:\.${LABEL})*(?::[1-9]\d{0,4})?$`)

/** True for an https origin by a DNS name, in lower case. A certificate proves the name, so no address will do. */
export const isEntry = (text: string): boolean =>
  text.length <= ENTRIES.lengthMax &&
  ENTRY.test(text) &&
  !/^https:\/\/[\d.]+(?::|$)/.test(text) &&
  Number(/:(\d+)$/.exec(text)?.[1] ?? 443) <= 65_535

/** The operator's DEVICE_ENTRIES, comma separated; null for a list with anything else in it, or with too many. */
export function parseEntries(text: string): readonly string[] | null {
  const entries = [...new Set(text.split(',').map((entry) => entry.trim()))].filter((entry) => entry !== '')
  return entries.length <= ENTRIES.max && entries.every(isEntry) ? entries : null
}

/** Entries of the next welcomes; absent without a setting, or with a wrong one. */
export function toEntries(text: string | undefined): { readonly entries?: readonly string[] } {
  const entries = parseEntries(text ?? '') ?? []
  return entries.length > 0 ? { entries } : {}
}

/** True for a valid DEVICE_ENTRIES. Unset means none. */
export const areEntries = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && parseEntries(value) !== null)
