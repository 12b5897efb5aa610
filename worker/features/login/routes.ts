import { Hono } from 'hono'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { enrolAndSignIn, readEnrolment } from './enrolment.ts'
import { completeSignIn } from './second-step.ts'
import { logout, refresh } from './session.ts'
import { signIn, signInByLink } from './sign-in.ts'
import { loginApi } from '#contract/login/index.ts'

export const loginRoutes = new Hono<HonoEnv>()

mount(loginRoutes, loginApi, {
  account: (ctx, input) => signIn(ctx, 'main', input),
  ram: (ctx, input) => signIn(ctx, 'ram', input),
  authorization: (ctx, { token }) => signInByLink(ctx, token),
  refresh,
  logout,
  totp: completeSignIn,
  totpSetup: (ctx, { ticket }) => readEnrolment(ctx, ticket),
  totpEnable: enrolAndSignIn,
})
