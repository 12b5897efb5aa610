import { Hono } from 'hono'
import { DONE } from '../../contract/errors.ts'
import { loginApi } from '../../contract/login.ts'
import type { HonoEnv } from '../../http/context.ts'
import { route } from '../../http/route.ts'
import { logout, refresh } from './session.ts'
import { signIn, signInByLink } from './sign-in.ts'

export const loginRoutes = new Hono<HonoEnv>()

route(loginRoutes, loginApi.account, async (ctx, input) => ({ data: await signIn(ctx, 'main', input) }))
route(loginRoutes, loginApi.ram, async (ctx, input) => ({ data: await signIn(ctx, 'ram', input) }))
route(loginRoutes, loginApi.authorization, async (ctx, { token }) => ({
  data: await signInByLink(ctx, token),
  msg: DONE.authorized,
}))
route(loginRoutes, loginApi.refresh, async (ctx) => ({ data: await refresh(ctx) }))
route(loginRoutes, loginApi.logout, async (ctx) => {
  await logout(ctx)
  return { data: null }
})
