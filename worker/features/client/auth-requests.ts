import * as z from 'zod'
import { AUTH_LOGIN } from '#contract/auth-source/limits.ts'
import { browserDevice, type clientApi } from '#contract/client/index.ts'
import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse, ERRORS, type ErrorKey, Refusal } from '#contract/kernel/errors.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { guardStarts } from '#features/auth-source/sql.ts'
import { batch } from '#db/batch.ts'
import { redirectUri } from '#domain/auth-source/vendor-place.ts'
import { hostOfAccount, toConsoleOrigin } from '#domain/site/brand.ts'
import type { Ctx } from '#http/context.ts'
import {
  authConfirmCode,
  authStateHash,
  challengeOf,
  isMatchingVerifier,
  vendorVerifier,
} from '#security/auth-source.ts'
import { randomHex, randomToken } from '#security/secrets.ts'
import { openSession } from './session.ts'
import {
  insertRequest,
  selectSourcesByCode,
  guardMatched,
  selectRequestById,
  updateRequest,
} from './sql/auth-requests.ts'
import { selectMemberOfRequest } from './sql/members.ts'

/* Sign-in of a client through a vendor: its sources, the start, and polling for the result. */

type Api = typeof clientApi

/** Enabled sources of the account that has the ID. */
async function readSources(ctx: Ctx, code: string) {
  const { db, now } = ctx
  const { rows } = await batch(db, { ...guardStarts(db, ctx, now), rows: selectSourcesByCode(db, code) })
  const [account] = rows
  if (!account || account.accountStatus !== 1) return refuse('AUTH_CODE_UNKNOWN')
  if (account.isOn !== 1) return refuse('AUTH_SOURCE_OFF')
  return rows.flatMap(({ sourceId, type, name, appId, agentId, corpId, authDomain, accountId, host }) =>
    sourceId === null || type === null
      ? []
      : [{ id: sourceId, type, name: name ?? '', appId, agentId, corpId, authDomain, accountId, host }],
  )
}

export async function listAuthSources(ctx: Ctx, { code }: Parsed<Api['authSource']>) {
  return (await readSources(ctx, code)).map(({ id, type, name }) => ({ id, type, name }))
}

/** Starts a sign-in: only the browser brings the state back, and only the client has the challenge's verifier. */
export async function startAuth(ctx: Ctx, input: Parsed<Api['authStart']>): Promise<Output<Api['authStart']>> {
  const { db, now, env, outside } = ctx
  const sources = await readSources(ctx, input.source_code)
  const fitting = sources.filter(({ id, type }) => type === input.type && (input.id ?? id) === id)
  const [source, ...others] = fitting
  if (!source) return refuse('AUTH_SOURCE_UNAVAILABLE')
  if (others.length > 0) return refuse('AUTH_SOURCE_CHOICE')
  const state = randomHex(16)
  const id = randomToken(16)
  const uri = redirectUri(toConsoleOrigin(hostOfAccount(source.host), env.LOCAL_ORIGIN), source.authDomain ?? '')
  await insertRequest(db, {
    id,
    accountId: source.accountId,
    sourceId: source.id,
    stateHash: await authStateHash(env.HMAC_SECRET, state),
    challenge: input.challenge,
    redirectUri: uri,
    step: 'waiting',
    device: JSON.stringify(browserDevice.parse(input)),
    ip: ctx.ip,
    ipBlock: '', // an earlier release would skip the confirmation in the client's own network
    createdAt: now,
    expiresAt: now + AUTH_LOGIN.requestMs,
  })
  const application = {
    type: source.type,
    appId: source.appId ?? '',
    appSecret: '',
    agentId: source.agentId ?? '',
    corpId: source.corpId ?? '',
  }
  const challenge = await challengeOf(await vendorVerifier(env.HMAC_SECRET, state))
  const request = { redirectUri: uri, state, challenge, inApp: false }
  return {
    url: outside.authVendors[source.type].authorizeUrl(application, request),
    request_id: id,
    confirm_code: await authConfirmCode(env.HMAC_SECRET, id),
    expires_in: AUTH_LOGIN.requestMs / 1000,
    interval: AUTH_LOGIN.pollMs / 1000,
  }
}

type Answer = Output<typeof clientApi.authToken>

/** Answers only the client that began the request. The session is handed out once; a refusal stays. */
export async function pollToken(ctx: Ctx, input: Parsed<typeof clientApi.authToken>): Promise<Answer> {
  const { db, now } = ctx
  const { requests, members } = await batch(db, {
    requests: selectRequestById(db, input.request_id),
    members: selectMemberOfRequest(db, input.request_id, now),
  })
  const request = requests[0] ?? refuse('AUTH_REQUEST_BAD')
  if (!(await isMatchingVerifier(request.challenge, input.verifier))) return refuse('AUTH_REQUEST_BAD')
  if (request.step === 'refused') throw new Refusal(readReason(request.reason))
  if (request.step === 'done' || request.expiresAt <= now) return refuse('AUTH_REQUEST_BAD')
  if (request.isOn !== 1) return refuse('AUTH_SOURCE_OFF')
  if (request.sourceStatus !== 1) return refuse('AUTH_SOURCE_UNAVAILABLE')
  if (request.step !== 'matched') return { status: 'pending', session: null }
  const member = members[0] ?? refuse('AUTH_MEMBER_NONE')
  const opened = await openSession(ctx, member, { ...JSON.parse(request.device), keep: input.keep }, request.sourceId)
  await batch(db, {
    matched: guardMatched(db, request, member.id, now),
    request: updateRequest(db, request.id, 'matched', { step: 'done' }),
    ...opened.writes,
  })
  return { status: 'done', session: await opened.answer() }
}

const stored = z.object({
  key: z.string().refine((key): key is ErrorKey => Object.hasOwn(ERRORS, key)),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})

/** Refusal that a callback stored. A key of a later version of the catalogue becomes AUTH_REQUEST_BAD. */
function readReason(text: string | null): Violation {
  const found = stored.safeParse(JSON.parse(text ?? 'null')).data
  return found ? violation(found.key as ErrorKey, found.params) : violation('AUTH_REQUEST_BAD')
}
