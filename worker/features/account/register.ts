import type { z } from 'zod'
import type { registration } from '#contract/account/account.ts'
import type { accountApi } from '#contract/account/index.ts'
import { REGISTER_TRIES, TRIAL } from '#contract/account/limits.ts'
import { DAY_MS } from '#contract/kernel/time.ts'
import type { Output } from '#contract/kernel/endpoint.ts'
import { refuse, throwIf } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { OTP } from '#contract/verify/limits.ts'
import {
  USERNAME_TAKEN,
  accountIdSql,
  checkTaken,
  insertAccount,
  insertServiceOfNew,
  selectTaken,
} from './sql/accounts.ts'
import { auditRow, systemFor } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { openFirstSession } from '#features/login/service.ts'
import { selectSession } from '#features/login/sql/sessions.ts'
import { recordAccountFailure, recordAddressFailure } from '#features/verify/sql/failures.ts'
import { mapUniqueViolation } from '#db/guard.ts'
import { consumeOtp, guardOtpUnused, isOtpRight, recordOtpAttempt } from '#features/verify/sql/codes.ts'
import { recordAttempt } from '#db/rate-limit.ts'
import { readContact } from '#domain/account/contact.ts'
import { checkPassword } from '#domain/account/password.ts'
import { type Trial, trialAt } from '#domain/site/brand.ts'
import { checkOtp } from '#domain/verify/otp.ts'
import type { Ctx } from '#http/context.ts'
import { hashInPool, provenClient } from '#http/hash-client.ts'
import { newHubName } from '#security/hub-name.ts'
import { otpHash, registrationKey } from '#security/one-time.ts'

/* Registration of a new account, which signs it in. */

const TAKEN = {
  ...USERNAME_TAKEN,
  'accounts.area_code': violation('PHONE_TAKEN', {}, 'verify'),
  'accounts.email': violation('EMAIL_TAKEN', {}, 'verify'),
}

/**
 * The code is checked first, so that nobody learns taken names without one (user enumeration). It is consumed only with the
 * insert, so that a person can change a taken name without another code.
 */
export async function register(
  ctx: Ctx,
  input: z.output<typeof registration>,
): Promise<Output<typeof accountApi.register>> {
  const { db, now, env } = ctx
  const { username, nickname, uniqid } = input
  const { target, columns } = readContact(input.type, input.verify)
  throwIf(checkPassword(input.password, { names: [username, nickname, columns.email], phone: columns.phone }))
  const key = { purpose: 'register', target, owner: uniqid } as const
  const typed = await otpHash(env.HMAC_SECRET, key.purpose, input.code)
  const isRight = isOtpRight(key, typed, now)
  const found = await batch(db, {
    ...recordAddressFailure(db, ctx, now, isRight),
    failed: recordAccountFailure(db, await registrationKey(env.HMAC_SECRET, target), now, isRight),
    attempts: recordOtpAttempt(db, key, typed, now),
    looks: recordAttempt(db, `register:${uniqid}`, OTP.minutes * 60_000, now, isRight),
    taken: selectTaken(db, { username, ...columns }),
    replaced: ctx.session !== null && selectSession(db, ctx.session.id),
  })
  const [[code], [looks]] = [found.attempts, found.looks]
  throwIf(checkOtp(code))
  if (!code || (looks?.[0] ?? 0) > REGISTER_TRIES) return refuse('CODE_SPENT')
  throwIf(checkTaken(found.taken, TAKEN))
  const password = await hashInPool(ctx.passwords, provenClient(ctx, `register:${target}`), input.password)
  const hub = newHubName(env.HUB_PLACE ?? 'default')
  const accountId = accountIdSql(username)
  const trial = trialAt(ctx.hostname)
  const first = await openFirstSession(ctx, username, found.replaced?.[0])
  const { users } = await mapUniqueViolation(
    batch(db, {
      unused: guardOtpUnused(db, code.id),
      code: consumeOtp(db, code.id, now),
      account: insertAccount(db, { username, nickname, password, ...columns, hub, host: ctx.host, createdAt: now }),
      registered: auditRow(
        ctx,
        { module: 'account', action: 'register', target: username, message: '注册账号' },
        { accountId, kind: 'main', id: accountId, name: username },
      ),
      ...(trial !== null && grantTrial(ctx, username, trial)),
      ...first.writes,
    }),
    TAKEN,
  )
  return { ...(await first.answer(users)), trial }
}

/** Statements that give a new account the trial seats of its host. */
function grantTrial(ctx: Ctx, username: string, { seats, days }: Trial) {
  const { db, now } = ctx
  const service = { kind: 'network_member', name: TRIAL.name, quantity: seats } as const
  const term = { startAt: now, expireAt: now + days * DAY_MS }
  const entry = { module: 'account', action: 'trial', target: TRIAL.name, message: `开通服务“${TRIAL.name}”` }
  return {
    trial: insertServiceOfNew(db, username, { ...service, ...term }),
    granted: auditRow(ctx, { ...entry, after: { ...service, ...term } }, systemFor(accountIdSql(username))),
  }
}
