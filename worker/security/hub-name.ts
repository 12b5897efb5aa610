import type { HubName } from '../contract/hubs.ts'
import { randomHex } from './secrets.ts'

/** The name of a hub that has never been: `place` (contract/hubs.ts) and 128 random bits. */
export const newHubName = (place: string): HubName => `${place}.${randomHex(16)}`

/** The place in a hub's name: routers and networks get their account's. */
export const placeOf = (hub: HubName): string => hub.slice(0, hub.indexOf('.'))
