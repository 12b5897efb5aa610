import { isInRange, isRange } from '#domain/outbound/public-address.ts'
import { parseEntries } from './entries.ts'

/* Relays between devices and the service, behind which the address of a device is not known. */

/** The operator's DEVICE_RELAYS: addresses and ranges of relays, comma separated; null for a list with anything else in it. */
function parseRelays(text: string): readonly string[] | null {
  const relays = text.split(',').flatMap((relay) => relay.trim() || [])
  return relays.every(isRange) ? relays : null
}

/** True for a valid DEVICE_RELAYS. Unset means none. */
export const areRelays = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && parseRelays(value) !== null)

interface Origin {
  readonly ip: string
  readonly hostname: string
}

/** Address that a device's connection came from; '' behind a relay, which may stand before every entry. */
export function seenAddress({ ip, hostname }: Origin, entries: string | undefined, relays: string | undefined): string {
  const isByEntry = (parseEntries(entries ?? '') ?? []).some((entry) => hostOf(entry) === hostname.toLowerCase())
  const isRelay = (parseRelays(relays ?? '') ?? []).some((range) => isInRange(ip, range))
  return isByEntry || isRelay ? '' : ip
}

const hostOf = (entry: string): string => entry.replace(/^https:\/\//, '').replace(/:\d+$/, '')
