import { AUTH_LOGIN } from '#contract/auth-source/limits.ts'
import { clientDevice, type clientApi } from '#contract/client/index.ts'
import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { guardStarts } from '#features/auth-source/sql.ts'
import { batch } from '#db/batch.ts'
import { redirectUri } from '#domain/auth-source/vendor-place.ts'
import { hostOfAccount, toConsoleOrigin } from '#domain/site/brand.ts'
import type { Ctx } from '#http/context.ts'
import { authStateHash } from '#security/auth-source.ts'
import { randomHex, randomToken } from '#security/secrets.ts'
import { insertRequest, selectSourcesByCode } from './sql/auth-requests.ts'

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

export async function listAuthSources(
  ctx: Ctx,
  { code }: Parsed<Api['authSource']>,
): Promise<Output<Api['authSource']>> {
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
    device: JSON.stringify(clientDevice.parse(input)),
    ip: ctx.ip,
    ipBlock: ctx.ipBlock,
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
  return {
    url: outside.authVendors[source.type].authorizeUrl(application, { redirectUri: uri, state, inApp: false }),
    request_id: id,
    expires_in: AUTH_LOGIN.requestMs / 1000,
    interval: AUTH_LOGIN.pollMs / 1000,
  }
}
