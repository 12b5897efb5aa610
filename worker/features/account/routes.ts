import { Hono } from 'hono'
import { accountApi } from '../../contract/account.ts'
import { DONE, refuse } from '../../contract/errors.ts'
import { type HonoEnv, accountOf, sessionOf } from '../../http/context.ts'
import { route } from '../../http/route.ts'
import { countServices, pageOfServices, userById, userInfoOf } from './queries.ts'
import { register } from './register.ts'
import { editSign } from './sign.ts'

export const accountRoutes = new Hono<HonoEnv>()

route(accountRoutes, accountApi.register, async (ctx, input) => {
  await register(ctx, input)
  return { data: null, msg: DONE.registered }
})
route(accountRoutes, accountApi.info, async (ctx) => {
  const { accountId, ramId } = sessionOf(ctx)
  const [user] = await userById(ctx.db, accountId, ramId)
  return { data: user ? userInfoOf(user) : refuse('SESSION_REVOKED') }
})
route(accountRoutes, accountApi.service, async (ctx, { page }) => {
  const accountId = accountOf(ctx)
  const [rows, [counted]] = await ctx.db.batch([
    pageOfServices(ctx.db, accountId, page),
    countServices(ctx.db, accountId),
  ])
  return {
    data: rows.map((row) => ({
      service_name: row.name,
      quantity: row.quantity,
      start_time: row.startAt,
      expired_time: row.expireAt,
    })),
    count: counted?.total ?? 0,
  }
})
route(accountRoutes, accountApi.editSign, async (ctx, { sign }) => {
  await editSign(ctx, sign)
  return { data: null, msg: DONE.saved }
})
