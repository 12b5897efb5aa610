import { Hono } from 'hono'
import { accountApi } from '../../contract/account.ts'
import { refuse } from '../../contract/errors.ts'
import { selectUserById } from '../../db/users.ts'
import { toUserInfo } from '../../domain/account/user.ts'
import { type HonoEnv, requireSession } from '../../http/context.ts'
import { mount } from '../../http/mount.ts'
import { register } from './register.ts'
import { listServices } from './services.ts'
import { editSign } from './sign.ts'

export const accountRoutes = new Hono<HonoEnv>()

mount(accountRoutes, accountApi, {
  register,
  info: async (ctx) => {
    const { accountId, ramId } = requireSession(ctx)
    const [user] = await selectUserById(ctx.db, accountId, ramId)
    return user ? toUserInfo(user) : refuse('SESSION_REVOKED')
  },
  service: listServices,
  editSign: (ctx, { sign }) => editSign(ctx, sign),
})
