import { Hono } from 'hono'
import countries from '../../contract/countries.json' with { type: 'json' }
import { countryApi } from '../../contract/country.ts'
import type { HonoEnv } from '../../http/context.ts'
import { route } from '../../http/route.ts'

export const countryRoutes = new Hono<HonoEnv>()

countryRoutes.use(`/${countryApi.lists.path}`, async (c, next) => {
  await next()
  c.header('cache-control', 'public, max-age=86400')
})
route(countryRoutes, countryApi.lists, async () => ({ data: countries }))
