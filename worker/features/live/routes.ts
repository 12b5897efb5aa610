import { refuse } from '#contract/kernel/errors.ts'
import { Hono } from 'hono'
import type { HonoEnv } from '#http/context.ts'
import { isUpgrade, openSocket } from './socket.ts'

/* WebSocket endpoints of live data: router traffic, network status, account. */

export const liveRoutes = new Hono<HonoEnv>()

// Mounted before the routes of members: without Upgrade, their router/traffic answers the last 40 rates.
liveRoutes.get('/router/traffic', (c, next) => (isUpgrade(c) ? openSocket(c, 'router') : next()))
liveRoutes.get('/network/live', (c) => (isUpgrade(c) ? openSocket(c, 'network') : refuse('UPGRADE_REQUIRED')))
liveRoutes.get('/account/live', (c) => (isUpgrade(c) ? openSocket(c, 'account') : refuse('UPGRADE_REQUIRED')))
