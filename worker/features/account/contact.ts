import type { accountApi } from '#contract/account/index.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { violation } from '#contract/kernel/result.ts'
import { OWN_PURPOSE } from '#contract/verify/index.ts'
import { checkTaken, selectTaken, updateAccount } from './sql/accounts.ts'
import { auditRow } from '#db/audit.ts'
import { batch } from '#db/batch.ts'
import { guard, mapUniqueViolation } from '#db/guard.ts'
import { requireOwnContact, sendAccountCode } from '#features/verify/service.ts'
import {
  consumeOtp,
  guardOtpUnused,
  isOtpRight,
  recordOtpAttempt,
  consumeProof,
  selectProved,
} from '#features/verify/sql/codes.ts'
import { deleteAttempts, recordAttempt } from '#db/rate-limit.ts'
import { isCredentialValid, selectUserById, guardNoContact } from './sql/users.ts'
import {
  readContact,
  type ContactChange,
  checkContactChange,
  contactsOf,
  isFirstContact,
  maskContact,
} from '#domain/account/contact.ts'
import { contactNotice } from '#domain/account/security-notice.ts'
import { personKey } from '#domain/account/user.ts'
import { checkOtp } from '#domain/verify/otp.ts'
import { type Ctx, requireSession } from '#http/context.ts'
import { sendSecurityNotice } from './service.ts'
import { otpHash } from '#security/one-time.ts'
import { securityWrites, PASSWORD_PAUSE_MS, checkLoginPassword, passwordKey, refuseUncounted } from './password.ts'

/* Phone and e-mail of an account: codes to them, and their binding or replacement. */

type Api = typeof accountApi

export const sendPhoneCode = (ctx: Ctx): Promise<void> => sendOwnCode(ctx, 'phone')

export const sendEmailCode = (ctx: Ctx): Promise<void> => sendOwnCode(ctx, 'email')

/** Identity step: a code to the own contact. */
const sendOwnCode = async (ctx: Ctx, kind: 'phone' | 'email'): Promise<void> =>
  sendAccountCode(ctx, OWN_PURPOSE[kind], await requireOwnContact(ctx, kind))

interface NewContact {
  readonly kind: ContactChange['kind']
  /** '+86 13800000000' or an e-mail address. */
  readonly to: string
  readonly code?: string | undefined
  /** Password of the caller, for the first contact only. */
  readonly password?: string | undefined
}

const TAKEN = { 'accounts.area_code': violation('PHONE_TAKEN'), 'accounts.email': violation('EMAIL_TAKEN') }
const NOUN = { phone: '手机', email: '邮箱' } as const

export const editPhone = (ctx: Ctx, { area_code, phone, ...proofs }: Parsed<Api['editPhone']>): Promise<void> =>
  editContact(ctx, { kind: 'phone', to: `+${area_code} ${phone}`, ...proofs })

export const editEmail = (ctx: Ctx, { email, ...proofs }: Parsed<Api['editEmail']>): Promise<void> =>
  editContact(ctx, { kind: 'email', to: email, ...proofs })

/**
 * Binds a phone or e-mail to the account after the identity step. An account without any contact needs its password
 * instead.
 */
async function editContact(ctx: Ctx, sent: NewContact): Promise<void> {
  const { db, now } = ctx
  const session = requireSession(ctx)
  const { accountId, username } = session
  const { user, change, columns, codeId } = await requireChange(ctx, sent)
  const { kind, before, after } = change
  const notice = contactNotice(username, change, ctx)
  const credential = { accountId, ramId: null, password: user.password }
  const permission = isFirstContact(user)
    ? {
        first: guardNoContact(db, accountId),
        credential: guard(db, isCredentialValid(credential), violation('LOGIN_PASSWORD_WRONG')),
        attempts: deleteAttempts(db, passwordKey(session)),
      }
    : consumeProof(db, session, now)
  const write = batch(db, {
    ...permission,
    unused: guardOtpUnused(db, codeId),
    code: consumeOtp(db, codeId, now),
    contact: updateAccount(db, accountId, columns),
    ...securityWrites(ctx, user.hub, notice),
    audit: auditRow(ctx, {
      module: 'account',
      action: `edit_${kind}`,
      target: username,
      message: `${before === '' ? '绑定' : '更换'}${NOUN[kind]}`,
      before: { [kind]: maskContact(kind, before) },
      after: { [kind]: maskContact(kind, after) },
    }),
  })
  await mapUniqueViolation(write, TAKEN)
  const had = contactsOf(user)
  const recipients = { host: user.host, phones: [had.phone], emails: [had.email] }
  recipients[`${kind}s`].push(after)
  sendSecurityNotice(ctx, notice, recipients)
}

/** A caller learns that a contact is taken only with the code that was sent to it. */
async function requireChange(ctx: Ctx, { kind, to, code, password }: NewContact) {
  const { db, now, env } = ctx
  const session = requireSession(ctx)
  const { accountId } = session
  const { target, columns } = readContact(kind, to)
  const key = { purpose: OWN_PURPOSE[kind], target, owner: personKey(session) }
  const typed = code === undefined ? '' : await otpHash(env.HMAC_SECRET, key.purpose, code)
  const isRight = isOtpRight(key, typed, now)
  const found = await batch(db, {
    users: selectUserById(db, accountId, null),
    proved: selectProved(db, session, now),
    codes: code !== undefined && recordOtpAttempt(db, key, typed, now),
    passwords: password !== undefined && recordAttempt(db, passwordKey(session), PASSWORD_PAUSE_MS, now, isRight),
    taken: selectTaken(db, { username: '', ...columns }),
  })
  const user = found.users[0] ?? refuse('SESSION_REVOKED')
  const change = { kind, before: contactsOf(user)[kind], after: target }
  const shown = {
    isProved: found.proved.length > 0,
    hasPassword: password !== undefined,
    hasCode: code !== undefined,
  }
  const attempt = found.codes?.[0]
  const refused = checkContactChange(user, change, shown) ?? checkOtp(attempt) ?? checkTaken(found.taken, TAKEN)
  if (refused) await refuseUncounted(ctx, refused, found.passwords?.[0])
  if (isFirstContact(user)) await checkLoginPassword(ctx, user.password, password ?? '', found.passwords?.[0])
  return { user, change, columns, codeId: attempt?.id ?? refuse('CODE_REQUIRED') }
}
