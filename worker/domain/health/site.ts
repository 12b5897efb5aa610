import { HEALTH } from '#contract/kernel/hub-limits.ts'
import { type Candidate, type Symptom, groupByName } from './explain.ts'

/* Sites: devices behind one public address, which lose their connection together. */

/** The public IPv4 address or IPv6 /64 of a device; null for an address of a private network. */
export function siteOf(remoteHost: string | null): string | null {
  if (remoteHost === null || remoteHost === '' || isPrivate(remoteHost)) return null
  return remoteHost.includes(':') ? remoteHost.split(':').slice(0, 4).join(':') : remoteHost
}

const isPrivate = (host: string): boolean =>
  /^(?:10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./u.test(host) ||
  /^(?:::1$|f[cd]|fe80)/iu.test(host)

/** A device, and the number of its links whose state is known. */
export interface SiteDevice {
  readonly name: string
  readonly site: string
  readonly checked: number
}

export interface SiteCandidate<S extends Symptom> extends Candidate<S> {
  readonly kind: 'site'
  readonly devices: readonly string[]
}

/** Sites of which enough devices have faulty links. `namesOf`: devices at the ends of a fault. */
export function listSites<S extends Symptom>(
  faults: readonly S[],
  devices: readonly SiteDevice[],
  namesOf: (fault: S) => readonly string[],
): readonly SiteCandidate<S>[] {
  return [...groupByName(devices, ({ site }) => [site])].flatMap(([id, own]): SiteCandidate<S>[] => {
    if (own.length < HEALTH.causeSymptoms) return []
    const inside = new Set(own.map(({ name }) => name))
    const symptoms = faults.filter((fault) => namesOf(fault).some((name) => inside.has(name)))
    const lost = new Set(symptoms.flatMap(namesOf).filter((name) => inside.has(name)))
    if (lost.size < HEALTH.causeSymptoms || lost.size * 100 < own.length * HEALTH.causePercent) return []
    const possible = own.reduce((sum, { checked }) => sum + checked, 0)
    return [{ id, kind: 'site', symptoms, possible: Math.max(possible, symptoms.length), devices: [...lost] }]
  })
}
