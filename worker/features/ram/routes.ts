import { Hono } from 'hono'
import { DONE, refuse } from '../../contract/errors.ts'
import { ramApi } from '../../contract/ram.ts'
import { type HonoEnv, accountOf } from '../../http/context.ts'
import { route } from '../../http/route.ts'
import { changeRamPassword } from './password.ts'
import { selectRamDomain } from './queries.ts'

export const ramRoutes = new Hono<HonoEnv>()

route(ramRoutes, ramApi.password, async (ctx, { old_password, password }) => {
  await changeRamPassword(ctx, old_password, password)
  return { data: null, msg: DONE.changed }
})
route(ramRoutes, ramApi.domain, async (ctx) => {
  const [row] = await selectRamDomain(ctx.db, accountOf(ctx))
  return { data: row ?? refuse('SESSION_REVOKED') }
})
