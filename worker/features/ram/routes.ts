import { Hono } from 'hono'
import { refuse } from '../../contract/errors.ts'
import { ramApi } from '../../contract/ram.ts'
import { type HonoEnv, requireAccountId } from '../../http/context.ts'
import { mount } from '../../http/mount.ts'
import { changeRamPassword } from './password.ts'
import { selectRamDomain } from './queries.ts'

export const ramRoutes = new Hono<HonoEnv>()

mount(ramRoutes, ramApi, {
  password: (ctx, { old_password, password }) => changeRamPassword(ctx, old_password, password),
  domain: async (ctx) => {
    const [row] = await selectRamDomain(ctx.db, requireAccountId(ctx))
    return row ?? refuse('SESSION_REVOKED')
  },
})
