import { Hono } from 'hono'
import { DONE } from '../../contract/errors.ts'
import { verifyApi } from '../../contract/verify.ts'
import type { HonoEnv } from '../../http/context.ts'
import { route } from '../../http/route.ts'
import { drawNewCaptcha, newChallenge, redeemProof } from './captcha.ts'
import { sendAccountCode, sendRegisterCode, verifyAccountCode } from './code.ts'
import { authenticate, findPassword, resetPassword, sendRecoveryCode } from './recovery.ts'

export const verifyRoutes = new Hono<HonoEnv>()

route(verifyRoutes, verifyApi.code, async (ctx, { purpose }) => ({ data: await drawNewCaptcha(ctx, purpose) }))
route(verifyRoutes, verifyApi.challenge, async (ctx, { purpose }) => ({ data: await newChallenge(ctx, purpose) }))
route(verifyRoutes, verifyApi.proof, async (ctx, { challenge, nonce }) => ({
  data: await redeemProof(ctx, challenge, nonce),
}))
route(verifyRoutes, verifyApi.register, async (ctx, input) => {
  await sendRegisterCode(ctx, input)
  return { data: null, msg: DONE.sent }
})
route(verifyRoutes, verifyApi.findPassword, async (ctx, input) => ({ data: await findPassword(ctx, input) }))
route(verifyRoutes, verifyApi.findPasswordCode, async (ctx, { uniqid, send_type }) => {
  await sendRecoveryCode(ctx, uniqid, send_type)
  return { data: null, msg: DONE.sent }
})
route(verifyRoutes, verifyApi.authentication, async (ctx, { uniqid, send_type, code }) => {
  await authenticate(ctx, uniqid, send_type, code)
  return { data: null }
})
route(verifyRoutes, verifyApi.resetPassword, async (ctx, { uniqid, password }) => {
  await resetPassword(ctx, uniqid, password)
  return { data: null, msg: DONE.changed }
})
route(verifyRoutes, verifyApi.sendCode, async (ctx, { verify_type, ...to }) => {
  await sendAccountCode(ctx, verify_type, to)
  return { data: null, msg: DONE.sent }
})
route(verifyRoutes, verifyApi.verify, async (ctx, { verify_type, code, ...to }) => {
  await verifyAccountCode(ctx, verify_type, to, code)
  return { data: null }
})
