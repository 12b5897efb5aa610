import { Hono } from 'hono'
import { addressApi } from '#contract/address/index.ts'
import countries from '#contract/country/countries.json' with { type: 'json' }
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { type Ctx, type HonoEnv, requireSession } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { selectExitCountries } from './sql.ts'

/* Endpoint of the exit countries of a bandwidth pool. */

export const addressRoutes = new Hono<HonoEnv>()

mount(addressRoutes, addressApi, {
  country: exitCountries,
})

/** Exit countries in the order of the country list; empty for an unknown pool. */
async function exitCountries(ctx: Ctx, { pool_id }: Parsed<typeof addressApi.country>) {
  const codes = new Set((await selectExitCountries(ctx.db, requireSession(ctx), pool_id)).map(({ code }) => code))
  return countries.filter(({ code }) => codes.has(code))
}
