import * as z from 'zod'
import { write } from '#contract/kernel/endpoint.ts'
import { userInfo } from '#contract/account/user-info.ts'
import { captchaText, loginName, nonce, password, uniqid } from '#contract/kernel/fields.ts'

/* Endpoints of sign-in, refresh and sign-out. */

const credentials = z.object({ username: loginName, password, code: captchaText, uniqid, nonce })

/** Tokens of a session. The refresh token is not among them: it is in an httpOnly cookie. */
export const session = z.object({
  access_token: z.string(),
  token_expire_time: z.int(), // seconds from now
  user: userInfo,
})

export const signIn = {
  account: write('login/account', 'public', {
    limit: 'login',
    summary: 'Sign in as the main account: name, phone or e-mail',
    input: credentials,
    output: session,
    example: { username: 'nobody', password: 'Weilai26', code: 'ABCD', uniqid: 'x' },
  }),
  ram: write('login/ram', 'public', {
    limit: 'login',
    summary: 'Sign in as a sub-account: name@suffix',
    input: credentials,
    output: session,
    example: { username: 'nobody@suffix', password: 'Weilai26', code: 'ABCD', uniqid: 'x' },
  }),
  authorization: write('login/authorization', 'public', {
    limit: 'login',
    summary: 'Exchange a single-use token link for a session',
    input: z.object({ token: z.string().min(1).max(128) }),
    output: session,
    done: 'authorized',
    example: { token: 'x' },
  }),
  refresh: write('login/refresh', 'public', {
    summary: 'New access token for the refresh cookie, which rotates',
    output: session,
  }),
  logout: write('login/logout', 'public', {
    summary: 'End the session of the access token or the refresh cookie',
  }),
} as const
