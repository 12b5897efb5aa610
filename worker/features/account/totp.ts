import type { Output, Parsed } from '#contract/kernel/endpoint.ts'
import { Refusal, refuse, throwIf } from '#contract/kernel/errors.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import { violation } from '#contract/kernel/result.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { guard, mapUniqueViolation } from '#db/guard.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { deleteAttempts, recordAttempt } from '#db/rate-limit.ts'
import { endOtherSessions, endSessionsByUser, endSessionsWithoutTotp } from '#features/login/sql/sessions.ts'
import { deleteRecoveryCodes, deleteTotpFactor, selectTotpFactor } from '#features/login/sql/totp.ts'
import { updateAccount } from './sql/accounts.ts'
import { isCredentialValid, selectUserById, selectRamTotpRequired, selectRamFactors } from './sql/users.ts'
import { type Ctx, requireSession, requireAccountId } from '#http/context.ts'
import {
  type TypedFactor,
  createTotpSetup,
  enrolTotp,
  openTotpSetup,
  replaceRecoveryCodes,
  secondFactorReads,
  consumeSecondFactor,
} from '#features/login/service.ts'
import { insertPersonMessages, sendPersonNotice, insertSecurityMessage } from './service.ts'
import type { accountApi } from '#contract/account/index.ts'
import { paged } from '#db/paged.ts'
import { totpNotice } from '#domain/account/security-notice.ts'
import { personKey, loginNameOf } from '#domain/account/user.ts'
import { checkTotpRemoval } from '#domain/login/sign-in.ts'
import { PASSWORD_PAUSE_MS, checkLoginPassword, passwordKey, refuseUncounted } from './password.ts'

/* Second factor (TOTP): the caller's own, and those of the account's sub-accounts. */

type Api = typeof accountApi

export async function readTotp(ctx: Ctx): Promise<Output<Api['totp']>> {
  const session = requireSession(ctx)
  const { factors, flags } = await batch(ctx.db, {
    factors: selectTotpFactor(ctx.db, personKey(session)),
    flags: selectRamTotpRequired(ctx.db, session.accountId),
  })
  const [factor] = factors
  return {
    enrolled_time: factor?.enrolledAt ?? null,
    recovery_left: factor?.recoveryLeft ?? 0,
    ram_required: toWireBoolean(flags[0]?.required),
  }
}

export async function setUpTotp(ctx: Ctx): Promise<Output<Api['totpSetup']>> {
  const session = requireSession(ctx)
  return createTotpSetup(ctx, session, session.username)
}

/** Turns the second factor on. Needs the password, so that a stranger at an open console cannot lock the owner out. */
export async function enableTotp(ctx: Ctx, { setup, code, password }: Parsed<Api['totpEnable']>) {
  const { db, now } = ctx
  const session = requireSession(ctx)
  const enrolling = openTotpSetup(ctx, session, setup).then((secret) => enrolTotp(ctx, session, secret, code))
  const enrolled = await enrolling.catch(toRefusal)
  const isWrong = enrolled instanceof Refusal
  const { users, factors, passwords } = await batch(db, {
    users: selectUserById(db, session.accountId, session.ramId),
    factors: selectTotpFactor(db, personKey(session)),
    passwords: !isWrong && recordAttempt(db, passwordKey(session), PASSWORD_PAUSE_MS, now), // a wrong code counts no guess
  })
  const user = users[0] ?? refuse('SESSION_REVOKED')
  if (factors[0]) return refuseUncounted(ctx, violation('TOTP_ON'), passwords?.[0])
  if (isWrong) throw enrolled
  const stored = (user.ramId === null ? user.password : user.ramPassword) ?? ''
  await checkLoginPassword(ctx, stored, password, passwords?.[0])
  const notice = totpNotice(session.username, 'on', ctx)
  const credential = isCredentialValid({ ...session, password: stored })
  const write = batch(db, {
    credential: guard(db, credential, violation('LOGIN_PASSWORD_WRONG')),
    ...enrolled.writes,
    attempts: deleteAttempts(db, passwordKey(session)),
    others: endOtherSessions(db, session, now),
    ...changeWrites(ctx, user, notice, { action: 'totp_enable', message: '开启两步验证' }),
  })
  await mapUniqueViolation(write, { 'totp_factors.person': violation('TOTP_ON') })
  sendPersonNotice(ctx, user, notice)
  return { recovery_codes: enrolled.shown }
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}

/** Turns the second factor off by the factor itself: an open console or its owner's mailbox is not enough. */
export async function disableTotp(ctx: Ctx, typed: TypedFactor): Promise<void> {
  const { db } = ctx
  const { session, user, found } = await readTyped(ctx, typed)
  throwIf(checkTotpRemoval(user))
  const spent = await consumeSecondFactor(ctx, session, typed, found)
  const owner = { accountId: session.accountId, person: personKey(session) }
  const notice = totpNotice(session.username, 'off', ctx)
  await batch(db, {
    ...spent.writes,
    codes: deleteRecoveryCodes(db, owner),
    factor: deleteTotpFactor(db, owner),
    ...changeWrites(ctx, user, notice, { action: 'totp_disable', message: '关闭两步验证' }),
  })
  sendPersonNotice(ctx, user, notice)
}

export async function renewRecoveryCodes(ctx: Ctx, typed: TypedFactor): Promise<Output<Api['totpRecovery']>> {
  const { session, user, found } = await readTyped(ctx, typed)
  const spent = await consumeSecondFactor(ctx, session, typed, found)
  const { shown, writes } = await replaceRecoveryCodes(ctx, session)
  const notice = totpNotice(session.username, 'codes', ctx)
  await batch(ctx.db, {
    ...spent.writes,
    ...writes,
    ...changeWrites(ctx, user, notice, { action: 'totp_recovery', message: '更换两步验证的恢复码' }),
  })
  sendPersonNotice(ctx, user, notice)
  return { recovery_codes: shown }
}

async function readTyped(ctx: Ctx, typed: TypedFactor) {
  const session = requireSession(ctx)
  const { users, ...found } = await batch(ctx.db, {
    users: selectUserById(ctx.db, session.accountId, session.ramId),
    ...(await secondFactorReads(ctx, personKey(session), typed)),
  })
  return { session, user: users[0] ?? refuse('SESSION_REVOKED'), found }
}

type User = Awaited<ReturnType<typeof selectUserById>>[number]

const changeWrites = (
  ctx: Ctx,
  user: User,
  notice: Parameters<typeof insertPersonMessages>[2],
  entry: { readonly action: string; readonly message: string },
) => ({
  ...insertPersonMessages(ctx, user, notice),
  audit: auditRow(ctx, { module: 'account', target: requireSession(ctx).username, ...entry }),
  hubs: notifyHubs(ctx, refreshTasks('account', [user.hub])),
})

export async function listRamTotp(ctx: Ctx, page: Parsed<Api['totpRams']>) {
  const { data, count } = await paged(ctx.db, selectRamFactors(ctx.db, requireAccountId(ctx)).$dynamic(), page)
  const rows = data.map(({ ramId, username, ramDomain, nickname, enrolledAt }) => ({
    ram_id: ramId,
    username: `${username}@${ramDomain}`,
    nickname,
    enrolled_time: enrolledAt,
  }))
  return { data: rows, count }
}

/** Requires a second factor of sub-accounts, or stops it. Those without one are signed out until they set it up. */
export async function requireRamTotp(ctx: Ctx, { required }: Parsed<Api['totpRequire']>): Promise<void> {
  const { db, now } = ctx
  const { accountId, username } = requireSession(ctx)
  const user = (await selectUserById(db, accountId, null))[0] ?? refuse('SESSION_REVOKED')
  if (user.ramTotpRequired === required) return
  const notice = totpNotice(username, required === 1 ? 'required' : 'optional', ctx)
  await batch(db, {
    flag: updateAccount(db, accountId, { ramTotpRequired: required }),
    ended: required === 1 && endSessionsWithoutTotp(db, accountId, now),
    message: insertSecurityMessage(ctx, accountId, notice),
    audit: auditRow(ctx, {
      module: 'account',
      action: 'totp_require',
      target: username,
      message: required === 1 ? '要求子账号使用两步验证' : '取消子账号使用两步验证的要求',
      before: { required: user.ramTotpRequired },
      after: { required },
    }),
    hubs: notifyHubs(ctx, refreshTasks('account', [user.hub])),
  })
  sendPersonNotice(ctx, user, notice)
}

/** Resets a lost second factor. A sub-account that has none answers the same, and nothing is written. */
export async function resetRamTotp(ctx: Ctx, { ram_id: ramId }: Parsed<Api['totpReset']>): Promise<void> {
  const { db, now } = ctx
  const { accountId } = requireSession(ctx)
  const [user] = await selectUserById(db, accountId, ramId)
  if (!user || user.ramId === null) return refuse('RAM_NOT_FOUND')
  if (user.hasTotp === 0) return
  const owner = { accountId, person: personKey({ accountId, ramId }) }
  const name = loginNameOf(user)
  const notice = totpNotice(name, 'reset', ctx)
  await batch(db, {
    codes: deleteRecoveryCodes(db, owner),
    factor: deleteTotpFactor(db, owner),
    sessions: endSessionsByUser(db, { accountId, ramId }, now),
    ...insertPersonMessages(ctx, user, notice),
    audit: auditRow(ctx, {
      module: 'account',
      action: 'totp_reset',
      target: name,
      message: `重置子账号“${name}”的两步验证`,
    }),
    hubs: notifyHubs(ctx, refreshTasks('account', [user.hub])),
  })
  sendPersonNotice(ctx, user, notice)
}
