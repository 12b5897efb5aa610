import type { HubName } from '#contract/kernel/hubs.ts'
import { randomHex } from './secrets.ts'

/* Names of hubs. */

/** Name of a new hub: `place` (contract/kernel/hubs.ts; empty is `default`) and 128 random bits. */
export function newHubName(place: string): HubName {
  if (!/^[a-z]*$/.test(place)) throw new Error(`HUB_PLACE: ${place} is no place of hubs`) // such a name would reach no hub
  return `${place || 'default'}.${randomHex(16)}`
}

/** Place of a hub name. Routers and networks use the place of their account. */
export const placeOf = (hub: HubName): string => hub.slice(0, hub.indexOf('.'))
