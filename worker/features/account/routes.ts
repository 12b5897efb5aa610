import { Hono } from 'hono'
import { accountApi } from '../../contract/account.ts'
import { refuse } from '../../contract/errors.ts'
import { type HonoEnv, accountOf, sessionOf } from '../../http/context.ts'
import { mount } from '../../http/mount.ts'
import { countServices, pageOfServices, userById, userInfoOf } from './queries.ts'
import { register } from './register.ts'
import { editSign } from './sign.ts'

export const accountRoutes = new Hono<HonoEnv>()

mount(accountRoutes, accountApi, {
  register,
  info: async (ctx) => {
    const { accountId, ramId } = sessionOf(ctx)
    const [user] = await userById(ctx.db, accountId, ramId)
    return user ? userInfoOf(user) : refuse('SESSION_REVOKED')
  },
  service: async (ctx, { page, limit }) => {
    const accountId = accountOf(ctx)
    const [rows, [counted]] = await ctx.db.batch([
      pageOfServices(ctx.db, accountId, page, limit),
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
  },
  editSign: (ctx, { sign }) => editSign(ctx, sign),
})
