import type { Context } from 'hono'
import { renderSVG } from 'uqr'
import { AUTH_LOGIN } from '#contract/auth-source/limits.ts'
import type { VendorCallback, VendorIdentity } from '#contract/auth-source/vendor.ts'
import { browserDevice } from '#contract/client/index.ts'
import { Refusal, toMessage, refuse } from '#contract/kernel/errors.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { type AuditEntry, auditRow, systemFor } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { parseGuardFailure } from '#db/guard.ts'
import { maskPhone } from '#domain/account/contact.ts'
import { checkTenant, matchMember, phoneOf } from '#domain/auth-source/match.ts'
import { type SignInPage, deviceText, signInPage } from '#domain/auth-source/sign-in-page.ts'
import { VENDOR_NAME, refusedBy } from '#domain/auth-source/source.ts'
import { redirectUri } from '#domain/auth-source/vendor-place.ts'
import { hostOfAccount, toConsoleOrigin } from '#domain/site/brand.ts'
import { answerFailure, answerPage } from '#http/answer.ts'
import type { Ctx, HonoEnv } from '#http/context.ts'
import { authConfirmCode, authSecretPlace, authStateHash, challengeOf, vendorVerifier } from '#security/auth-source.ts'
import { openSealed } from '#security/sealed.ts'
import { randomHex } from '#security/secrets.ts'
import {
  type AuthRequest,
  claimState,
  recordTenant,
  saveBinding,
  selectBound,
  selectByPhone,
  selectRequestByState,
  updateRequest,
} from './sql/auth-requests.ts'

/* Pages to which a vendor (WeCom, Feishu, DingTalk) sends the browser back, and the sign-in that they complete. */

/** DingTalk calls its code `authCode`. */
export async function callbackPage(c: Context<HonoEnv>): Promise<Response> {
  if (c.req.method !== 'GET') return c.body(null) // a scanner's HEAD must not use up the state
  const { state = '', code = '', authCode = '' } = c.req.query()
  return show(c, () => receiveCallback(c.get('ctx'), state, authCode || code))
}

export function confirmPage(c: Context<HonoEnv>): Promise<Response> {
  return show(c, async () => {
    const { token, answer } = await c.req.parseBody().catch(() => refuse('BODY_MALFORMED'))
    return confirmSignIn(c.get('ctx'), typeof token === 'string' ? token : '', answer === 'yes')
  })
}

async function show(c: Context<HonoEnv>, read: () => Promise<SignInPage>): Promise<Response> {
  try {
    return answerPage(c, signInPage(await read(), toPicture))
  } catch (error) {
    return answerFailure(c, '登录失败', error)
  }
}

const toPicture = (text: string): string => {
  const svg = renderSVG(text, { ecc: 'M', border: 4 })
  return `<img alt="授权链接的二维码" src="data:image/svg+xml,${encodeURIComponent(svg)}">`
}

const BAD: SignInPage = { kind: 'refused', sentence: toMessage(violation('AUTH_REQUEST_BAD')) }

/** Handles a callback; `code` is empty if the person did not agree. The state is used up in any case. */
async function receiveCallback(ctx: Ctx, state: string, code: string): Promise<SignInPage> {
  const { db, now, env } = ctx
  if (!/^[0-9a-f]{32}$/.test(state)) return BAD
  const hash = await authStateHash(env.HMAC_SECRET, state)
  const { claimed, requests } = await batch(db, {
    claimed: claimState(db, hash, 'waiting', 'exchanging', now),
    requests: selectRequestByState(db, hash),
  })
  const [request] = requests
  if (claimed.length === 0 || !request) return BAD
  const unusable = checkUsable(ctx, request)
  if (unusable) return end(ctx, request, unusable)
  if (code === '' || code.length > AUTH_LOGIN.codeMax) return end(ctx, request, violation('AUTH_LOGIN_DENIED'))
  const verifier = await vendorVerifier(env.HMAC_SECRET, state)
  const identity = await identify(ctx, request, { code, redirectUri: request.redirectUri, verifier })
  return 'key' in identity
    ? end(ctx, request, identity, { isAudited: identity.key !== 'AUTH_VENDOR_AWAY' })
    : completeRequest(ctx, request, identity)
}

/** Refuses if source or account were turned off meanwhile, or if the browser came back to another origin. */
function checkUsable({ env, hostname }: Ctx, request: AuthRequest): Violation | null {
  if (request.isOn !== 1) return violation('AUTH_SOURCE_OFF')
  if (request.sourceStatus !== 1 || request.accountStatus !== 1) return violation('AUTH_SOURCE_UNAVAILABLE')
  const origin = toConsoleOrigin(hostOfAccount(request.host), env.LOCAL_ORIGIN)
  const isSame = redirectUri(origin, request.authDomain) === request.redirectUri
  return isSame && new URL(request.redirectUri).hostname === hostname ? null : violation('AUTH_REQUEST_BAD')
}

async function identify(
  { env, outside }: Ctx,
  { type, appId, agentId, corpId, accountId, sourceId, secretSealed }: AuthRequest,
  callback: VendorCallback,
): Promise<VendorIdentity | Violation> {
  const appSecret = await openSealed(env.SEAL_KEYS, authSecretPlace(accountId, sourceId), secretSealed)
  const found = await outside.authVendors[type].identify({ type, appId, appSecret, agentId, corpId }, callback)
  if (found === 'unreachable') return violation('AUTH_VENDOR_AWAY', { vendor: VENDOR_NAME[type] })
  if (!('refused' in found)) return found
  return found.code === 'outsider' ? violation('AUTH_MEMBER_OUTSIDER') : refusedBy(type, found)
}

/** Finds the member that the person is, and accepts it or ends the request. */
async function completeRequest(ctx: Ctx, request: AuthRequest, identity: VendorIdentity): Promise<SignInPage> {
  const { db } = ctx
  const audited = { isAudited: true, identity }
  const foreign = checkTenant(request.tenant, identity)
  if (foreign) return end(ctx, request, foreign, audited)
  if (request.userId !== '' && request.userId !== identity.userId)
    return end(ctx, request, violation('AUTH_LOGIN_CROSSED'), audited)
  const phone = phoneOf(identity)
  const isBinding = request.type === 'wechat' // the others always tell the phone
  const { bound = [], byPhone = [] } = await batch(db, {
    bound: isBinding && selectBound(db, request, identity),
    byPhone: phone !== null && selectByPhone(db, request.accountId, phone),
  })
  const match = matchMember(phone, bound, byPhone)
  if (match === 'phone_needed') {
    const canAsk = isBinding && request.userId === ''
    return canAsk ? askInApp(ctx, request, identity) : end(ctx, request, violation('AUTH_PHONE_NEEDED'), audited)
  }
  if ('refused' in match) return end(ctx, request, match.refused, audited)
  const { member } = match
  try {
    return await accept(ctx, request, identity, member, isBinding && bound.length === 0)
  } catch (error) {
    const failure = parseGuardFailure(error)
    if (failure instanceof Refusal) return end(ctx, request, failure.violation, audited)
    throw error
  }
}

/** Asks the same person for one more authorization, inside WeCom: it gives a phone only to pages in its own application. */
async function askInApp(ctx: Ctx, request: AuthRequest, { userId }: VendorIdentity): Promise<SignInPage> {
  const { db, env, outside } = ctx
  const state = randomHex(16)
  const stateHash = await authStateHash(env.HMAC_SECRET, state)
  await updateRequest(db, request.id, 'exchanging', { step: 'waiting', stateHash, userId })
  const { type, appId, agentId, corpId, redirectUri: uri } = request
  const application = { type, appId, appSecret: '', agentId, corpId }
  const challenge = await challengeOf(await vendorVerifier(env.HMAC_SECRET, state))
  const asked = { redirectUri: uri, state, challenge, inApp: true }
  return { kind: 'in_app', url: outside.authVendors[type].authorizeUrl(application, asked) }
}

/** Accepts the member. The person has to confirm the client: somebody else may have sent the address that they opened. */
async function accept(
  ctx: Ctx,
  request: AuthRequest,
  { tenant, userId }: VendorIdentity,
  member: Awaited<ReturnType<typeof selectByPhone>>[number],
  isNewBinding: boolean,
): Promise<SignInPage> {
  const { db, env, now } = ctx
  const { id, accountId, sourceId } = request
  const token = randomHex(16)
  const { areaCode, phone } = member
  await batch(db, {
    ...recordTenant(db, request, tenant),
    ...(isNewBinding &&
      phone !== null &&
      saveBinding(db, {
        sourceId,
        accountId,
        tenant,
        userId,
        routerId: member.id,
        areaCode,
        phone,
        createdAt: now,
      })),
    request: updateRequest(db, id, 'exchanging', {
      step: 'confirming',
      routerId: member.id,
      stateHash: await authStateHash(env.HMAC_SECRET, token),
    }),
  })
  return {
    kind: 'confirm',
    member: member.name,
    token,
    code: await authConfirmCode(env.HMAC_SECRET, id),
    device: deviceText(browserDevice.parse(JSON.parse(request.device))),
    ip: request.ip,
    startedAt: request.startedAt,
  }
}

/** Handles the answer to the question whether the client is the person's own. */
async function confirmSignIn(ctx: Ctx, token: string, isOwn: boolean): Promise<SignInPage> {
  const { db, now, env } = ctx
  if (!/^[0-9a-f]{32}$/.test(token)) return BAD
  const hash = await authStateHash(env.HMAC_SECRET, token)
  const { claimed, requests } = await batch(db, {
    claimed: claimState(db, hash, 'confirming', isOwn ? 'matched' : 'exchanging', now),
    requests: selectRequestByState(db, hash),
  })
  const [request] = requests
  if (claimed.length === 0 || !request) return BAD
  if (isOwn) return { kind: 'done', member: request.memberName ?? '' }
  return end(ctx, request, violation('AUTH_LOGIN_CANCELLED'), { isAudited: true })
}

interface Ending {
  readonly isAudited?: boolean
  readonly identity?: VendorIdentity
}

async function end(ctx: Ctx, request: AuthRequest, refused: Violation, { isAudited = false, identity }: Ending = {}) {
  const { db } = ctx
  const { key, params } = refused
  const sentence = toMessage(refused)
  await batch(db, {
    request: updateRequest(db, request.id, 'exchanging', {
      step: 'refused',
      reason: JSON.stringify({ key, params }),
    }),
    audit: isAudited && auditRow(ctx, toEntry(request, sentence, identity), systemFor(request.accountId)),
  })
  return { kind: 'refused', sentence } as const
}

const toEntry = ({ name }: AuthRequest, sentence: string, identity: VendorIdentity | undefined): AuditEntry => ({
  module: 'auth_source',
  action: 'sign_in',
  target: name,
  message: `通过认证源“${name}”登录被拒绝：${sentence}`,
  ...(identity && {
    after: { username: identity.userId.slice(0, 64), phone: maskPhone(identity.areaCode, identity.phone) },
  }),
})
