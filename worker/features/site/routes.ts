import { Hono } from 'hono'
import { CODE } from '../../contract/errors.ts'
import { siteApi } from '../../contract/site.ts'
import type { HonoEnv } from '../../http/context.ts'
import { brandOf } from '../../http/hosts.ts'

export const siteRoutes = new Hono<HonoEnv>()

// By hand, not by route(): the answer depends on the hostname, which no use case may see.
siteRoutes.get(`/${siteApi.config.path}`, (c) => {
  const brand = brandOf(new URL(c.req.url).hostname)
  const data = siteApi.config.output.parse({ ...brand, environment: c.env.ENVIRONMENT })
  return c.json({ code: CODE.ok, msg: '', data })
})
