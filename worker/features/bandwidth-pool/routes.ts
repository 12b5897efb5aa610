import { Hono } from 'hono'
import { bandwidthPoolApi } from '#contract/bandwidth-pool/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { editPoolBandwidth, listPoolDevices, listPools, poolInfo } from './pools.ts'

/* Endpoints of bandwidth pools. */

export const bandwidthPoolRoutes = new Hono<HonoEnv>()

mount(bandwidthPoolRoutes, bandwidthPoolApi, {
  lists: listPools,
  info: poolInfo,
  router: listPoolDevices,
  bandwidth: editPoolBandwidth,
})
