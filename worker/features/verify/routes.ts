import { Hono } from 'hono'
import { verifyApi } from '#contract/verify/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { drawNewCaptcha, newChallenge, redeemProof } from './captcha.ts'
import { sendContactCode, sendRegisterCode, verifyCode } from './code.ts'
import { authenticate, findPassword, resetPassword, sendRecoveryCode } from './recovery.ts'

/* Endpoints of captchas, one-time codes and password recovery. */

export const verifyRoutes = new Hono<HonoEnv>()

mount(verifyRoutes, verifyApi, {
  code: drawNewCaptcha,
  challenge: newChallenge,
  proof: redeemProof,
  register: sendRegisterCode,
  findPassword,
  findPasswordCode: sendRecoveryCode,
  authentication: authenticate,
  resetPassword,
  sendCode: sendContactCode,
  verify: verifyCode,
})
