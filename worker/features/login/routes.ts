import { Hono } from 'hono'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { completeSignIn, enrolAndSignIn, readEnrolment } from './second-step.ts'
import { logout, refresh } from './session.ts'
import { signInByLink, signInMain, signInRam } from './sign-in.ts'
import { loginApi } from '#contract/login/index.ts'

/* Endpoints of the console's sign-in. */

export const loginRoutes = new Hono<HonoEnv>()

mount(loginRoutes, loginApi, {
  account: signInMain,
  ram: signInRam,
  authorization: signInByLink,
  refresh,
  logout,
  totp: completeSignIn,
  totpSetup: readEnrolment,
  totpEnable: enrolAndSignIn,
})
