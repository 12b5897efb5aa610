import { Hono } from 'hono'
import { accountApi } from '../../contract/account.ts'
import { DONE, refuse } from '../../contract/errors.ts'
import { paged } from '../../db/paged.ts'
import { selectUserById } from '../../db/users.ts'
import { toUserInfo } from '../../domain/account/user.ts'
import { type HonoEnv, accountOf, sessionOf } from '../../http/context.ts'
import { route } from '../../http/route.ts'
import { selectServices } from './queries.ts'
import { register } from './register.ts'
import { editSign } from './sign.ts'

export const accountRoutes = new Hono<HonoEnv>()

route(accountRoutes, accountApi.register, async (ctx, input) => {
  await register(ctx, input)
  return { data: null, msg: DONE.registered }
})
route(accountRoutes, accountApi.info, async (ctx) => {
  const { accountId, ramId } = sessionOf(ctx)
  const [user] = await selectUserById(ctx.db, accountId, ramId)
  return { data: user ? toUserInfo(user) : refuse('SESSION_REVOKED') }
})
route(accountRoutes, accountApi.service, (ctx, page) =>
  paged(ctx.db, selectServices(ctx.db, accountOf(ctx)).$dynamic(), page),
)
route(accountRoutes, accountApi.editSign, async (ctx, { sign }) => {
  await editSign(ctx, sign)
  return { data: null, msg: DONE.saved }
})
