import type { HubName } from '../contract/hubs.ts'
import { randomHex } from './secrets.ts'

/** A new, unique hub name: `place` (contract/hubs.ts) and 128 random bits. */
export const newHubName = (place: string): HubName => `${place}.${randomHex(16)}`

/** The place of a hub name: routers and networks use that of their account. */
export const placeOf = (hub: HubName): string => hub.slice(0, hub.indexOf('.'))
