import type { Session } from '#contract/kernel/session.ts'
import type { Results } from '#db/batch.ts'
import type { Condition } from '#db/guard.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import {
  deleteRecoveryCodes,
  forgetTotpTries,
  insertRecoveryCodes,
  insertTotpFactor,
  recordTotpTry,
  selectRecoveryCode,
  selectTotpFactor,
  consumeRecoveryCode,
  consumeTotpStep,
} from './sql/totp.ts'
import { checkAttempts, checkTotpStep } from '#domain/login/sign-in.ts'
import { displayName } from '#domain/site/brand.ts'
import { openSealed, seal } from '#security/sealed.ts'
import {
  createTotpSecret,
  findTotpStep,
  totpSecretPlace,
  totpSetupPlace,
  totpUri,
  createRecoveryCodes,
  recoveryCodeHash,
} from '#security/totp.ts'
import type { Ctx } from '#http/context.ts'
import { TOTP, TOTP_GUARD } from '#contract/login/limits.ts'
import { personKey } from '#domain/account/user.ts'
import { auditRow } from '#db/audit.ts'
import { originsOf } from '#domain/login/origin.ts'
import { accountIdSql, accountPersonSql } from '#features/account/sql/accounts.ts'
import { selectUserOfSession } from '#features/account/sql/users.ts'
import { type SessionRow, setSessionCookies } from './end-session.ts'
import {
  SIGN_IN_MS,
  type SessionReply,
  type SigningUser,
  createSession,
  endReplaced,
  sessionReply,
} from './open-session.ts'
import { insertSession } from './sql/sessions.ts'
import { upsertSignInOrigins } from './sql/sign-in.ts'

/* Second factor (TOTP) of a person: set-up, recovery codes, check of a typed code. First session of a new account. */

/** Owner of a second factor: a sub-account, or the main account if `ramId` is null. */
type FactorOwner = Pick<Session, 'accountId' | 'ramId'>

export interface TypedFactor {
  readonly code?: string | undefined
  readonly recovery_code?: string | undefined
}

/** Makes a new secret. It is sealed for this person, and nothing is stored before its first code was right. */
export async function createTotpSetup({ env, host, now }: Ctx, owner: FactorOwner, label: string) {
  const secret = createTotpSecret()
  const place = totpSetupPlace(owner.accountId, personKey(owner))
  return {
    secret,
    uri: totpUri({ secret, issuer: displayName(host) ?? '', label }),
    setup: await seal(env.SEAL_KEYS, place, `${now + TOTP.setupMinutes * 60_000} ${secret}`),
  }
}

export async function openTotpSetup({ env, now }: Ctx, owner: FactorOwner, setup: string): Promise<string> {
  const place = totpSetupPlace(owner.accountId, personKey(owner))
  const opened = await openSealed(env.SEAL_KEYS, place, setup).catch(() => '')
  const [, expiresAt = 0, secret = ''] = /^(\d+) (\w+)$/.exec(opened) ?? []
  return Number(expiresAt) > now ? secret : refuse('TOTP_SETUP_BAD')
}

/** Statements that turn the second factor on with its first code (not valid again), and the recovery codes to show. */
export async function enrolTotp({ db, env, now }: Ctx, owner: FactorOwner, secret: string, code: string) {
  const { accountId, ramId } = owner
  const person = personKey(owner)
  const step = findTotpStep(secret, code, now) ?? refuse('TOTP_CODE_WRONG')
  const secretSealed = await seal(env.SEAL_KEYS, totpSecretPlace(accountId, person), secret)
  const { shown, hashes } = await createRecoveryCodes(env.HMAC_SECRET)
  return {
    shown,
    writes: {
      factor: insertTotpFactor(db, { accountId, ramId, person, secretSealed, lastStep: step }, now),
      recoveryCodes: insertRecoveryCodes(db, { accountId, person }, hashes),
    },
  }
}

export async function replaceRecoveryCodes({ db, env }: Ctx, owner: FactorOwner) {
  const of = { accountId: owner.accountId, person: personKey(owner) }
  const { shown, hashes } = await createRecoveryCodes(env.HMAC_SECRET)
  return {
    shown,
    writes: { oldCodes: deleteRecoveryCodes(db, of), newCodes: insertRecoveryCodes(db, of, hashes) },
  }
}

/** Statements that read the stored factor, and count the try if `when` holds. */
export async function secondFactorReads(
  { db, env, now }: Ctx,
  person: string | Condition,
  { recovery_code }: TypedFactor,
  when?: Condition,
) {
  const hash = recovery_code === undefined ? null : await recoveryCodeHash(env.HMAC_SECRET, recovery_code)
  return {
    factors: selectTotpFactor(db, person),
    recovery: hash !== null && selectRecoveryCode(db, person, hash),
    tries: hash === null && recordTotpTry(db, person, now, when),
  }
}

type FoundFactor = Results<Awaited<ReturnType<typeof secondFactorReads>>>

/** Checks the typed factor; answers the statements that use it up. Of parallel calls with one code only one succeeds. */
export async function consumeSecondFactor(
  { db, env, now }: Ctx,
  owner: FactorOwner,
  { code, recovery_code }: TypedFactor,
  { factors: [factor], recovery, tries }: FoundFactor,
) {
  if (!factor) return refuse('TOTP_OFF')
  const { accountId } = owner
  const person = personKey(owner)
  if (recovery_code !== undefined) {
    if (!recovery?.[0]) return refuse('RECOVERY_CODE_WRONG')
    const hash = await recoveryCodeHash(env.HMAC_SECRET, recovery_code)
    return { left: factor.recoveryLeft - 1, writes: consumeRecoveryCode(db, { accountId, person }, hash, now) }
  }
  throwIf(checkAttempts([{ attempts: tries?.[0], limit: TOTP_GUARD.failures }], now, 'TOTP_PAUSED'))
  const secret = await openSealed(env.SEAL_KEYS, totpSecretPlace(accountId, person), factor.secretSealed)
  const step = findTotpStep(secret, code ?? '', now)
  throwIf(checkTotpStep(step, factor.lastStep))
  const spent = consumeTotpStep(db, { accountId, person }, factor.secretSealed, step ?? 0)
  return { left: factor.recoveryLeft, writes: { ...spent, forgottenTries: forgetTotpTries(db, person) } }
}

/**
 * Statements of the first session of an account that the same batch inserts, and its answer, which takes the user that the
 * batch read.
 */
export async function openFirstSession(ctx: Ctx, username: string, replaced: SessionRow | undefined) {
  const { db, now } = ctx
  const { row, refreshToken } = await createSession(ctx, SIGN_IN_MS)
  const accountId = accountIdSql(username)
  const person = accountPersonSql(username)
  const entry = { module: 'login', action: 'sign_in', target: username, message: '注册后登录控制台' }
  return {
    writes: {
      ...endReplaced(ctx, replaced),
      session: insertSession(db, { ...row, accountId, ramId: null }),
      seen: upsertSignInOrigins(db, { accountId, ramId: null, person, origins: originsOf(ctx) }, now),
      audit: auditRow(ctx, entry, { accountId, kind: 'main', id: accountId, name: username }),
      users: selectUserOfSession(db, row.id),
    },
    answer: async ([user]: readonly SigningUser[]): Promise<SessionReply> => {
      if (!user) return refuse('SESSION_REVOKED')
      setSessionCookies(ctx, refreshToken, SIGN_IN_MS)
      return sessionReply(ctx, user, { id: row.id, version: 1 })
    },
  }
}
