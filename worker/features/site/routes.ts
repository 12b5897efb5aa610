import { Hono } from 'hono'
import { siteApi } from '../../contract/site.ts'
import type { HonoEnv } from '../../http/context.ts'
import { brandOf } from '../../http/hosts.ts'
import { mount } from '../../http/mount.ts'

export const siteRoutes = new Hono<HonoEnv>()

mount(siteRoutes, siteApi, {
  config: (_ctx, _input, c) => ({ ...brandOf(new URL(c.req.url).hostname), environment: c.env.ENVIRONMENT }),
})
