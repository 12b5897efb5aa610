import { Hono } from 'hono'
import { siteApi } from '#contract/site/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { toBrand } from '#domain/site/brand.ts'
import { mount } from '#http/mount.ts'

export const siteRoutes = new Hono<HonoEnv>()

mount(siteRoutes, siteApi, {
  config: (_ctx, _input, c) => ({ ...toBrand(new URL(c.req.url).hostname), environment: c.env.ENVIRONMENT }),
})
