import * as z from 'zod'
import type { QuestionAnswer } from '#contract/device/questions.ts'
import { type AskedNetwork, linkOver } from './asked-network.ts'

/* Lookup of a route by `ip route get`: its arguments, its answer, and the way out in words of the network. */

/** Origin of a packet that comes in by an interface. */
export interface Arrival {
  readonly source: string
  readonly device: string
}

/** `isMatch`: the route of the table in place of that of the packet. */
export const lookupArgs = (destination: string, arrival: Arrival | null, isMatch = false): readonly string[] => [
  '-j',
  '-4',
  'route',
  'get',
  ...(isMatch ? ['fibmatch'] : []),
  destination,
  ...(arrival === null ? [] : ['from', arrival.source, 'iif', arrival.device]),
]

const found = z.looseObject({
  type: z.string().optional(),
  dst: z.string(),
  gateway: z.string().optional(),
  dev: z.string().optional(),
  prefsrc: z.string().optional(),
  flags: z.array(z.string()).optional(),
})

export interface FoundRoute {
  /** Absent for a packet that leaves the device. */
  readonly type?: string | undefined
  readonly dst: string
  readonly gateway?: string | undefined
  readonly dev?: string | undefined
  readonly prefsrc?: string | undefined
  /** Only a route of the table has those of its interface. */
  readonly flags?: readonly string[] | undefined
}

/** First route of the answer; null without one. */
export function parseLookup(text: string): FoundRoute | null {
  const [first] = z.array(found).parse(JSON.parse(text.trim() || '[]'))
  return first ?? null
}

/** Prefix of a route of the table. */
export const prefixOf = (dst: string): string =>
  dst === 'default' ? '0.0.0.0/0' : dst.includes('/') ? dst : `${dst}/32`

type Via = QuestionAnswer<'route'>['via']

/** Interfaces of all networks have names of this form (slots.ts). */
const isTunnel = (device: string): boolean => /^ov\d/.test(device)

/** Way of a packet out of the device. Of another network it says no more than that it is one. */
export function viaOf(route: FoundRoute | null, destination: string, asked: AskedNetwork): Via {
  if (route === null) return null
  if (route.type === 'local') return { local: 'self' }
  const { dev, gateway } = route
  if (dev === undefined || route.type !== undefined) return null // unreachable, broadcast
  if (asked.lans.includes(dev)) return { local: 'lan' }
  if (!asked.devices.includes(dev)) return isTunnel(dev) || asked.namespace !== null ? { other: true } : { wan: true }
  const link = linkOver(asked, dev, gateway ?? destination)
  if (link) return { link: link.id }
  return asked.links.has(dev) ? null : { local: 'software' }
}

/** True for the segment of a LAN port without a cable: the kernel keeps its route. */
export const isUnplugged = (via: Via, match: FoundRoute | null): boolean =>
  via !== null && 'local' in via && via.local === 'lan' && match?.flags?.includes('linkdown') === true

/** Interface and inner address by which a packet of the device reaches an address; null unless this network carries it. */
export function exitOf(route: FoundRoute | null, asked: AskedNetwork): { device: string; source: string } | null {
  if (route === null || route.type !== undefined) return null
  const { dev, prefsrc } = route
  if (dev === undefined || prefsrc === undefined) return null
  return asked.devices.includes(dev) && asked.own.has(prefsrc) ? { device: dev, source: prefsrc } : null
}
