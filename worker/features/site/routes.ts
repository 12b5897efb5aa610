import { type Context, Hono } from 'hono'
import { siteApi } from '#contract/site/index.ts'
import type { Ctx, HonoEnv } from '#http/context.ts'
import { toBrand } from '#domain/site/brand.ts'
import { mount } from '#http/mount.ts'

/* Endpoint of the brand of the host. */

export const siteRoutes = new Hono<HonoEnv>()

mount(siteRoutes, siteApi, {
  config: readBrand,
})

function readBrand(_ctx: Ctx, _input: unknown, c: Context<HonoEnv>) {
  return { ...toBrand(new URL(c.req.url).hostname), environment: c.env.ENVIRONMENT }
}
