import { Hono } from 'hono'
import countries from '#contract/kernel/countries.json' with { type: 'json' }
import { countryApi } from '#contract/country/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'

export const countryRoutes = new Hono<HonoEnv>()

mount(countryRoutes, countryApi, {
  lists: (_ctx, _input, c) => {
    c.header('cache-control', 'public, max-age=86400')
    return countries
  },
})
