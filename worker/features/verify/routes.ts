import { Hono } from 'hono'
import { verifyApi } from '#contract/verify/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { drawNewCaptcha, newChallenge, redeemProof } from './captcha.ts'
import { sendRegisterCode, verifyAccountCode } from './code.ts'
import { proveIdentity } from './identity.ts'
import { authenticate, findPassword, resetPassword, sendRecoveryCode } from './recovery.ts'
import { sendAccountCode } from './service.ts'

export const verifyRoutes = new Hono<HonoEnv>()

mount(verifyRoutes, verifyApi, {
  code: (ctx, { purpose }) => drawNewCaptcha(ctx, purpose),
  challenge: (ctx, { purpose }) => newChallenge(ctx, purpose),
  proof: (ctx, { challenge, nonce }) => redeemProof(ctx, challenge, nonce),
  register: sendRegisterCode,
  findPassword,
  findPasswordCode: (ctx, { uniqid, send_type }) => sendRecoveryCode(ctx, uniqid, send_type),
  authentication: (ctx, { uniqid, send_type, code }) => authenticate(ctx, uniqid, send_type, code),
  resetPassword: (ctx, { uniqid, password }) => resetPassword(ctx, uniqid, password),
  sendCode: (ctx, { verify_type, ...to }) => sendAccountCode(ctx, verify_type, to),
  verify: (ctx, { verify_type, code, send_type, send_value }) =>
    send_value === undefined
      ? proveIdentity(ctx, send_type, code)
      : verifyAccountCode(ctx, verify_type, { send_type, send_value }, code),
})
