import { refuse } from '#contract/kernel/errors.ts'
import { batch } from '#db/batch.ts'
import { selectAccountHost, selectContacts } from '#features/account/sql/accounts.ts'
import { type CodePurpose, type OtpSender, insertOtp, selectSendTimes } from '#features/verify/sql/codes.ts'
import { personKey } from '#domain/account/person.ts'
import { hostOfAccount } from '#domain/site/brand.ts'
import { otpHash } from '#security/one-time.ts'
import { type Ctx, requireAccountId, requireSession } from './context.ts'
import { type OtpRecipient, deliverCode, newCode, refuseSending, sendTo, targetOf } from './one-time-code.ts'

/** Code for a phone or e-mail of the signed-in person: one to be bound, or the own one. */
export async function sendAccountCode(ctx: Ctx, purpose: CodePurpose, to: OtpRecipient): Promise<void> {
  const { db, now, env } = ctx
  const sender = personOf(ctx)
  const key = { purpose, target: targetOf(to), owner: sender.key }
  const code = newCode()
  const answer = await otpHash(env.HMAC_SECRET, purpose, code)
  const { times, stored, account } = await batch(db, {
    times: selectSendTimes(db, key, sender, now),
    stored: insertOtp(db, key, sender, { answer, now }),
    account: selectAccountHost(db, requireAccountId(ctx)),
  })
  if (!stored[0]) return refuseSending(ctx, times)
  const message = { code, purpose, host: hostOfAccount(account[0]?.host ?? '') }
  await deliverCode(ctx, stored[0][0], () => sendTo(ctx.outside, to, message))
}

/** The account's own phone or e-mail. */
export async function requireOwnContact(ctx: Ctx, sendType: OtpRecipient['send_type']): Promise<OtpRecipient> {
  const [account] = await selectContacts(ctx.db, requireAccountId(ctx))
  if (!account) return refuse('SESSION_REVOKED')
  const { areaCode, phone, email } = account
  if (sendType === 'email') return email ? { send_type: 'email', send_value: email } : refuse('EMAIL_UNSET')
  return phone ? { send_type: 'phone', send_value: `+${areaCode} ${phone}` } : refuse('PHONE_UNSET')
}

function personOf(ctx: Ctx): OtpSender {
  const session = requireSession(ctx)
  const { accountId, grants } = session
  return { kind: grants.kind, key: personKey(session), accountId, address: ctx.ipBlock }
}
