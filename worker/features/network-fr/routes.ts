import { Hono } from 'hono'
import { networkFrApi } from '#contract/network-fr/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { frAreas, frConfig, listFrs } from './frs.ts'

/* Endpoints of POP resources. */

export const networkFrRoutes = new Hono<HonoEnv>()

mount(networkFrRoutes, networkFrApi, {
  lists: listFrs,
  config: frConfig,
  ov: frAreas,
})
