import { Hono } from 'hono'
import { clientApi } from '#contract/client/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { issueDial } from './dial.ts'
import { listAuthSources, startAuth, pollToken } from './auth-requests.ts'
import { sendPhoneCode, signInByPhone } from './phone-sign-in.ts'
import { linkProfile } from './profiles/phone-links.ts'
import { createProfile, listProfiles, revokeProfile } from './profiles/profiles.ts'
import { readProfile } from './profile.ts'
import { logout, refresh } from './session.ts'
import { signIn } from './sign-in.ts'

/* Endpoints of the client application: sign-in, session, networks, profiles. */

export const clientRoutes = new Hono<HonoEnv>()

mount(clientRoutes, clientApi, {
  login: signIn,
  phone: sendPhoneCode,
  phoneLogin: signInByPhone,
  refresh,
  profile: readProfile,
  dial: issueDial,
  profiles: listProfiles,
  createProfile,
  profileLink: linkProfile,
  revokeProfile,
  logout,
  authSource: listAuthSources,
  authStart: startAuth,
  authToken: pollToken,
})
