import { Hono } from 'hono'
import { accountApi } from '../../contract/account.ts'
import { refuse } from '../../contract/errors.ts'
import { paged } from '../../db/paged.ts'
import { selectUserById } from '../../db/users.ts'
import { toUserInfo } from '../../domain/account/user.ts'
import { type HonoEnv, accountOf, sessionOf } from '../../http/context.ts'
import { mount } from '../../http/mount.ts'
import { selectServices } from './queries.ts'
import { register } from './register.ts'
import { editSign } from './sign.ts'

export const accountRoutes = new Hono<HonoEnv>()

mount(accountRoutes, accountApi, {
  register,
  info: async (ctx) => {
    const { accountId, ramId } = sessionOf(ctx)
    const [user] = await selectUserById(ctx.db, accountId, ramId)
    return user ? toUserInfo(user) : refuse('SESSION_REVOKED')
  },
  service: (ctx, page) => paged(ctx.db, selectServices(ctx.db, accountOf(ctx)).$dynamic(), page),
  editSign: (ctx, { sign }) => editSign(ctx, sign),
})
