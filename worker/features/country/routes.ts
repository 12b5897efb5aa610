import { type Context, Hono } from 'hono'
import countries from '#contract/country/countries.json' with { type: 'json' }
import { countryApi } from '#contract/country/index.ts'
import type { Ctx, HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'

/* Endpoint of the list of countries. */

export const countryRoutes = new Hono<HonoEnv>()

mount(countryRoutes, countryApi, {
  lists: listCountries,
})

function listCountries(_ctx: Ctx, _input: unknown, c: Context<HonoEnv>) {
  c.header('cache-control', 'public, max-age=86400')
  return countries
}
