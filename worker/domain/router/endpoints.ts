import { ENDPOINTS } from '#contract/device/limits.ts'
import type { InterfaceInfo } from '#contract/kernel/protocol.ts'
import { isEndpointHost } from '#contract/router/endpoints.ts'
import type { EndpointSource } from '#contract/router/views.ts'
import { ipNumber } from '#contract/kernel/ipv4.ts'
import { isPublicAddress, isSameAddress } from '#domain/outbound/public-address.ts'

/* Addresses at which other members dial a router, by their source and in their order. */

/** Addresses of a device, without those that its account has set; JSON in its row. */
export interface DeviceEndpoints {
  /** Those of the agent's command line. */
  readonly flag: readonly string[]
  /** Public addresses of its WAN. */
  readonly reported: readonly string[]
  /** Those that its connections came from, IPv4 first. */
  readonly seen: readonly string[]
}

export interface Endpoint {
  readonly host: string
  readonly source: EndpointSource
}

/** True for a name, which the dialling device looks up. */
export const isName = (host: string): boolean => ipNumber(host) === null && !host.includes(':')

/** Endpoints in the order in which they are dialled, each once. */
export function listEndpoints(chosen: readonly string[], device: DeviceEndpoints): readonly Endpoint[] {
  const bySource = { chosen, ...device }
  const all = (['chosen', 'flag', 'reported', 'seen'] as const).flatMap((source) =>
    bySource[source].map((host) => ({ host, source })),
  )
  const isFirst = ({ host }: Endpoint, index: number) =>
    all.findIndex((other) => other.host === host || isSameAddress(other.host, host)) === index
  return all.filter(isFirst).slice(0, ENDPOINTS.listMax)
}

/** Endpoints by the columns of a router. A row that its hub has not saved since the column exists has the seen address alone. */
export const toEndpoints = (row: EndpointColumns & { readonly endpoints: string | null }): readonly Endpoint[] =>
  listEndpoints(parseChosen(row.endpoints), parseDevice(row))

interface EndpointColumns {
  readonly deviceEndpoints: string | null
  readonly remoteHost: string | null
}

export const parseChosen = (json: string | null): readonly string[] => JSON.parse(json ?? '[]') as string[]

export const parseDevice = ({ deviceEndpoints, remoteHost }: EndpointColumns): DeviceEndpoints =>
  deviceEndpoints === null
    ? { flag: [], reported: [], seen: remoteHost ? [remoteHost] : [] }
    : (JSON.parse(deviceEndpoints) as DeviceEndpoints)

/** Address at which tunnels, which are IPv4, reach a device: that of its connection, or another one of it. */
export const tunnelAddress = (remoteHost: string, device: DeviceEndpoints): string =>
  [remoteHost, ...device.seen, ...device.reported, ...device.flag].find((host) => ipNumber(host) !== null) ?? remoteHost

/** Facts of a device from which its endpoints follow. */
interface EndpointFacts {
  readonly remoteHost: string
  readonly interfaces: readonly InterfaceInfo[]
  readonly endpoints?: readonly string[]
  readonly seen?: SeenAddresses
}

/** Before its first connection to this release a device has the seen address alone, so that no release moves a document. */
export function deviceEndpoints({ remoteHost, interfaces, endpoints = [], seen }: EndpointFacts): DeviceEndpoints {
  if (seen === undefined) return { flag: [], reported: [], seen: remoteHost === '' ? [] : [remoteHost] }
  return {
    flag: endpoints.filter(isEndpointHost).slice(0, ENDPOINTS.chosenMax),
    reported: interfaces
      .filter(({ role, up }) => role === 'wan' && up)
      .flatMap(({ ip, ip6 = '' }) => [ip, ip6])
      .filter(isPublicAddress)
      .slice(0, ENDPOINTS.reportedMax),
    seen: [seen.v4, seen.v6].filter((host) => host !== ''),
  }
}

/** Addresses from which a device was seen to connect. */
export interface SeenAddresses {
  /** Those that count; '' while there is none. */
  readonly v4: string
  readonly v6: string
  /** Another one, from which the present connection comes, and the time of the first such connection in a row. */
  readonly next: { readonly host: string; readonly since: number } | null
}

const UNSEEN: SeenAddresses = { v4: '', v6: '', next: null }

const withSeen = (seen: SeenAddresses, host: string): SeenAddresses => ({
  ...seen,
  ...(host.includes(':') ? { v6: host } : { v4: host }),
  next: null,
})

/** Addresses as an earlier release knew them: the last one. */
export const firstSeen = (remoteHost: string): SeenAddresses =>
  remoteHost === '' ? UNSEEN : withSeen(UNSEEN, remoteHost)

/**
 * A connection from this address; '' where a relay hides it, which tells nothing. The first address counts at once, a
 * different one only once it has stood for ENDPOINTS.steadyMs.
 */
export function seeAddress(seen: SeenAddresses, host: string, now: number): SeenAddresses {
  const isKnown = host === '' || host === seen.v4 || host === seen.v6
  if (isKnown) return seen.next === null ? seen : { ...seen, next: null }
  if (seen.v4 === '' && seen.v6 === '') return withSeen(seen, host)
  return seen.next?.host === host ? seen : { ...seen, next: { host, since: now } }
}

/** Time at which the present address counts; null where it does already. */
export const settlesAt = ({ next }: SeenAddresses): number | null =>
  next === null ? null : next.since + ENDPOINTS.steadyMs

/** The device is still connected: its address counts if it has stood long enough. */
export function settleAddress(seen: SeenAddresses, now: number): SeenAddresses {
  const at = settlesAt(seen)
  return seen.next === null || at === null || at > now ? seen : withSeen(seen, seen.next.host)
}
