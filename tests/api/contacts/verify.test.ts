import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { contactsApi } from '#contract/contacts/index.ts'
import { CONTACT } from '#contract/contacts/limits.ts'
import { opsApi } from '#contract/ops/index.ts'
import { mailRefusals } from '#db/schema/monitor.ts'
import { messages } from '#db/schema/notices.ts'
import { REFUSE_MAILS_PATH } from '#domain/contacts/messages.ts'
import { signUnsubscribe } from '#security/signed-links.ts'
import {
  contactRow,
  createContact,
  createVerifiedContact,
  lastSecret,
  mailsTo,
  uniqueEmail,
} from '#tests/support/contacts.ts'
import { mailThat } from '#tests/support/failing-mail.ts'
import { createMainAccount, createSession } from '#tests/support/fixtures.ts'
import { selectAudit } from '#tests/support/identity.ts'
import { call, createTestWorker, db, hubCalls, refusal, request } from '#tests/support/test-worker.ts'

const DAY = 86_400_000
const at = (now: number) => vi.useFakeTimers({ toFake: ['Date'], now })
const validate = (s: string) => call(contactsApi.validateEmail, { s })
const tokenOf = async (uuid: string, secret = env.HMAC_SECRET) => {
  const { accountId, email } = await contactRow(uuid)
  return signUnsubscribe(secret, { accountId, uuid, email })
}

describe('account 7 · contacts/validate_email', () => {
  it('verifies for 180 days, and opening the link again answers the same and changes nothing', async () => {
    const start = Date.now()
    at(start)
    const main = await createMainAccount()
    const { uuid, email } = await createContact(main)
    const s = await lastSecret(email)
    expect(await validate(s)).toMatchObject({ status: 200, code: 200, msg: '已验证', data: null, trips: 2 })
    const verified = await contactRow(uuid)
    expect(verified).toMatchObject({ verifiedAt: start, expiresAt: start + 180 * DAY })
    at(start + 60_000)
    expect(await validate(s)).toMatchObject({ code: 200, msg: '已验证', trips: 1 })
    expect(await contactRow(uuid)).toEqual(verified)
    const rows = (await selectAudit(main.accountId)).filter(({ action }) => action === 'validate_email')
    expect(rows).toMatchObject([{ actorKind: 'system', target: uuid, message: '联系人“张三”通过邮件验证了邮箱' }])
  })

  it('verifies once where a link is opened many times at once', async () => {
    const main = await createMainAccount()
    const { email } = await createContact(main)
    const s = await lastSecret(email)
    const answers = await Promise.all(Array.from({ length: 8 }, () => validate(s)))
    expect(answers.map(({ code }) => code)).toEqual(Array.from({ length: 8 }, () => 200))
    expect((await selectAudit(main.accountId)).filter(({ action }) => action === 'validate_email')).toHaveLength(1)
  })

  it('stores no secret, and refuses an old link exactly as one that nobody was sent', async () => {
    const start = Date.now()
    at(start)
    const main = await createMainAccount()
    const { uuid, email } = await createContact(main)
    const s = await lastSecret(email)
    const dump = await db.all<unknown[]>(`select * from contact_links`)
    expect(JSON.stringify(dump)).not.toContain(s)
    at(start + CONTACT.linkHours * 3_600_000)
    const plain = ({ status, code, msg, data, reason, trips }: Awaited<ReturnType<typeof validate>>) => {
      return { status, code, msg, data, reason, trips }
    }
    const old = plain(await validate(s))
    expect(old).toMatchObject({ status: 200, ...refusal('CONTACT_LINK_BAD') })
    expect(old.msg).toBe('链接无效或已过期，请在联系人中重新发送')
    for (const bad of ['', 'x', 'x'.repeat(200), 'x'.repeat(5_000), `${s}x`, "' or 1 --"])
      expect(plain(await validate(bad))).toEqual(old)
    expect(plain(await call(contactsApi.validateEmail, { s: { $gt: '' } } as never))).toEqual(old)
    expect((await contactRow(uuid)).verifiedAt).toBeNull()
  })

  it('any link of the last 48 hours verifies: mails overtake each other', async () => {
    const start = Date.now()
    at(start)
    const main = await createMainAccount()
    const { uuid, email } = await createContact(main)
    const first = await lastSecret(email)
    at(start + CONTACT.resendSeconds * 1000)
    await main.call(contactsApi.sendValidateEmail, { uuid })
    const second = await lastSecret(email)
    expect(second).not.toBe(first)
    expect((await validate(first)).code).toBe(200)
    expect((await validate(second)).code).toBe(200)
  })
})

describe('account 4 · contacts/send_validate_email', () => {
  it('waits 60 seconds, and the row says how long', async () => {
    const start = Date.now()
    at(start)
    const main = await createMainAccount()
    const { uuid, email } = await createContact(main)
    const send = () => main.call(contactsApi.sendValidateEmail, { uuid })
    at(start + 15_000)
    expect(await send()).toMatchObject({ ...refusal('TOO_OFTEN', { retry_after: 45 }), data: { retry_after: 45 } })
    expect((await main.call(contactsApi.info, { uuid })).data.resend_after).toBe(45)
    at(start + 60_000)
    expect((await main.call(contactsApi.info, { uuid })).data.resend_after).toBe(0)
    const answers = await Promise.all(Array.from({ length: 6 }, send))
    expect(answers.filter(({ code }) => code === 200)).toMatchObject([{ msg: '发送成功', trips: 2 }])
    expect(await mailsTo(email)).toHaveLength(2)
  })

  it('mails a contact five times a day, and an address as often however the contact is made anew', async () => {
    const start = Date.now()
    const main = await createMainAccount()
    let now = start
    const later = () => at((now += 61_000))
    at(now)
    const { uuid, email, name } = await createContact(main)
    for (let mails = 2; mails <= 5; mails++) {
      later()
      expect((await main.call(contactsApi.sendValidateEmail, { uuid })).code).toBe(200)
    }
    later()
    const limit = refusal('CONTACT_MAILS_DAILY', { limit: 5 })
    expect(await main.call(contactsApi.sendValidateEmail, { uuid })).toMatchObject(limit)
    expect(await main.call(contactsApi.edit, { uuid, name, email: uniqueEmail() })).toMatchObject(limit)
    await main.call(contactsApi.delete, { uuid })
    expect(await main.call(contactsApi.create, { name, email })).toMatchObject(limit)
    expect(await mailsTo(email)).toHaveLength(5)
    at(start + DAY)
    const nextDay = await createSession(main.session)
    expect((await nextDay.call(contactsApi.create, { name, email })).code).toBe(200)
  })

  it('mails an address ten times a day over all accounts', async () => {
    const start = Date.now()
    at(start)
    const email = uniqueEmail()
    for (let i = 0; i < CONTACT.addressMails.limit; i++) await createContact(await createMainAccount(), email)
    const late = await createMainAccount()
    const answer = await late.call(contactsApi.create, { name: '张三', email })
    expect(answer).toMatchObject({ ...refusal('CONTACT_MAILS_ADDRESS'), data: { field: 'email' } })
    expect(await mailsTo(email)).toHaveLength(CONTACT.addressMails.limit)
    at(start + DAY)
    const nextDay = await createSession(late.session)
    expect((await nextDay.call(contactsApi.create, { name: '张三', email })).code).toBe(200)
  })

  it('mails fifty times a day for an account', async () => {
    const main = await createMainAccount()
    let caller = await createSession(main.session)
    for (let i = 0; i < CONTACT.accountMails.limit; i++) {
      if (i % 20 === 0) caller = await createSession(main.session) // a session writes so often a minute
      const { code, data } = await caller.call(contactsApi.create, { name: `${i}`, email: uniqueEmail() })
      expect(code).toBe(200)
      await caller.call(contactsApi.delete, { uuid: data.uuid })
    }
    const last = await (
      await createSession(main.session)
    ).call(contactsApi.create, { name: '末', email: uniqueEmail() })
    expect(last).toMatchObject(refusal('CONTACT_MAILS_ACCOUNT', { limit: 50 }))
  })

  it('never mails a link for an address to the one before: an edit in between is noticed', async () => {
    const start = Date.now()
    at(start)
    const main = await createMainAccount()
    const { uuid, email, name } = await createContact(main)
    at(start + 61_000)
    const next = uniqueEmail()
    const worker = createTestWorker({ afterFirstTrip: () => main.call(contactsApi.edit, { uuid, name, email: next }) })
    const answer = await worker.call(contactsApi.sendValidateEmail, { uuid }, main.token)
    expect(answer).toMatchObject(refusal('CONTACT_CHANGED'))
    expect(await mailsTo(email)).toHaveLength(1)
    const stale = createTestWorker({ afterFirstTrip: () => main.call(contactsApi.delete, { uuid }) })
    const late = await stale.call(contactsApi.edit, { uuid, name: '李四', email: next }, main.token)
    expect(late).toMatchObject(refusal('CONTACT_NOT_FOUND'))
  })

  it('is for unverified contacts', async () => {
    const main = await createMainAccount()
    const { uuid } = await createVerifiedContact(main)
    expect(await main.call(contactsApi.sendValidateEmail, { uuid })).toMatchObject(refusal('CONTACT_VERIFIED'))
  })

  it('a provider that refuses is said on the row, costs no try, and loses nothing', async () => {
    const main = await createMainAccount()
    let isDown = true
    const worker = createTestWorker({ outside: mailThat(() => isDown) })
    const email = uniqueEmail()
    const token = main.token
    const { code, data } = await worker.call(contactsApi.create, { name: '张三', email }, token)
    expect(code).toBe(200)
    const row = async () => (await worker.call(contactsApi.lists, {}, token)).data[0]
    expect(await row()).toMatchObject({ email, mail_error: 'SEND_FAILED', mail_pending: 0, resend_after: 0 })
    for (let i = 0; i < CONTACT.mails.limit + 1; i++)
      expect((await worker.call(contactsApi.sendValidateEmail, { uuid: data.uuid }, token)).code).toBe(200)
    isDown = false
    expect((await worker.call(contactsApi.sendValidateEmail, { uuid: data.uuid }, token)).code).toBe(200)
    expect(await row()).toMatchObject({ mail_error: '', resend_after: expect.any(Number) })
    expect((await validate(await lastSecret(email))).code).toBe(200)
  })
})

describe('account 9 · contacts/update_verify', () => {
  it('renews for 180 days from now, also after the authorization has expired', async () => {
    const start = Date.now()
    at(start)
    const main = await createMainAccount()
    const { uuid } = await createVerifiedContact(main)
    const later = start + 181 * DAY
    at(later)
    const { call: ask } = await createSession(main.session)
    const shown = async () => (await ask(contactsApi.info, { uuid })).data
    expect(await shown()).toMatchObject({ email_verify: 1, email_verify_time: start, re_email_verify: 0 })
    expect(await ask(contactsApi.updateVerify, { uuid })).toMatchObject({ code: 200, msg: '授权成功', trips: 2 })
    expect(await shown()).toMatchObject({
      email_verify_time: later,
      expire_time: later + 180 * DAY,
      re_email_verify: 1,
    })
  })

  it('answers 423 while the address is not verified', async () => {
    const main = await createMainAccount()
    const { uuid } = await createContact(main)
    const answer = await main.call(contactsApi.updateVerify, { uuid })
    expect(answer).toMatchObject({ ...refusal('CONTACT_UNVERIFIED'), code: 423 })
  })
})

describe('account 7 · contacts/unsubscribe', () => {
  it('ends the authorization, voids the links, and reports it to the account once', async () => {
    const main = await createMainAccount()
    const { uuid, email, name } = await createVerifiedContact(main)
    const [s, token] = [await lastSecret(email), await tokenOf(uuid)]
    hubCalls.length = 0
    const answers = await Promise.all([1, 2, 3].map(() => call(contactsApi.unsubscribe, { s: token })))
    expect(answers.map(({ code, msg }) => [code, msg])).toEqual(Array.from({ length: 3 }, () => [200, '已退订']))
    expect(await contactRow(uuid)).toMatchObject({ verifiedAt: null, expiresAt: null, warnAt: null })
    expect(await validate(s)).toMatchObject(refusal('CONTACT_LINK_BAD'))
    const rows = await db.select().from(messages).where(eq(messages.accountId, main.accountId))
    expect(rows).toMatchObject([{ type: '系统', title: `联系人“${name}”已退订` }])
    expect((await selectAudit(main.accountId)).filter(({ action }) => action === 'unsubscribe')).toHaveLength(1)
    expect(hubCalls.filter(({ hub, method }) => hub === main.hub && method === 'refresh')).toHaveLength(1)
    expect(await main.call(contactsApi.updateVerify, { uuid })).toMatchObject(refusal('CONTACT_UNVERIFIED'))
  })

  it('refuses tokens of nobody, of a deleted contact and of an address before alike', async () => {
    const main = await createMainAccount()
    const [kept, gone, moved] = [
      await createVerifiedContact(main),
      await createVerifiedContact(main),
      await createVerifiedContact(main),
    ]
    const tokens = [await tokenOf(gone.uuid), await tokenOf(moved.uuid), await tokenOf(kept.uuid, 'other')]
    await main.call(contactsApi.delete, { uuid: gone.uuid })
    await main.call(contactsApi.edit, { ...moved, email: uniqueEmail() })
    const plain = async (s: string) => {
      const { status, code, msg, data, reason, trips } = await call(contactsApi.unsubscribe, { s })
      return { status, code, msg, data, reason, trips }
    }
    const unknown = await plain('')
    expect(unknown).toMatchObject({ status: 200, ...refusal('UNSUBSCRIBE_LINK_BAD') })
    for (const s of [...tokens, kept.uuid, `${kept.uuid}.`, 'x.y', '.']) expect(await plain(s)).toEqual(unknown)
    expect((await contactRow(kept.uuid)).verifiedAt).not.toBeNull()
  })
})

describe('design 1 · ops · contact/expiry', () => {
  it('ends an authorization at once, of verified contacts only', async () => {
    const main = await createMainAccount()
    const { uuid, email } = await createVerifiedContact(main)
    const input = { account: main.username, email, expired_time: Date.now() - 1 }
    expect(await call(opsApi.setContactExpiry, input)).toMatchObject({ code: 200, msg: '设置成功' })
    expect((await main.call(contactsApi.info, { uuid })).data.re_email_verify).toBe(0)
    expect((await selectAudit(main.accountId))[0]).toMatchObject({ actorKind: 'operator', action: 'contact/expiry' })
    const unverified = await createContact(main)
    expect(await call(opsApi.setContactExpiry, { ...input, email: unverified.email })).toMatchObject(
      refusal('CONTACT_NOT_FOUND'),
    )
  })
})

describe('account 2 · the link of a verification mail that ends such mails', () => {
  const refusalSecret = async (email: string) =>
    /\/validate\/refuse\?s=([\w.-]+)/.exec((await mailsTo(email))[0]?.text ?? '')?.[1] ?? ''

  it('no account can send another, until the reader takes them again', async () => {
    const start = Date.now()
    at(start)
    const [main, other] = [await createMainAccount(), await createMainAccount()]
    const { uuid, email } = await createContact(main)
    const s = await refusalSecret(email)
    for (let i = 0; i < 2; i++)
      expect(await call(contactsApi.refuseMails, { s })).toMatchObject({ code: 200, msg: '已停止接收', trips: 1 })
    at(start + 61_000)
    const refused = { ...refusal('CONTACT_MAIL_REFUSED'), data: { field: 'email' } }
    expect(await main.call(contactsApi.sendValidateEmail, { uuid })).toMatchObject(refused)
    const input = { name: '张三', email: email.toUpperCase() }
    expect(await other.call(contactsApi.create, input)).toMatchObject(refused)
    const { uuid: changed, name } = await createContact(other)
    expect(await other.call(contactsApi.edit, { uuid: changed, name, email })).toMatchObject(refused)
    expect(await mailsTo(email)).toHaveLength(1)
    expect(JSON.stringify(await db.select().from(mailRefusals))).not.toContain(email)
    expect(await call(contactsApi.acceptMails, { s })).toMatchObject({ code: 200, msg: '已恢复接收' })
    expect((await other.call(contactsApi.create, input)).code).toBe(200)
  })

  it('does nothing without its signature, nor for another address', async () => {
    const main = await createMainAccount()
    const { uuid, email } = await createContact(main)
    const s = await refusalSecret(email)
    const address = Buffer.from(uniqueEmail()).toString('base64url')
    for (const bad of ['', 'x', '.', `${s}x`, `${address}.${s.split('.')[1]}`, s.split('.')[0]!])
      for (const spec of [contactsApi.refuseMails, contactsApi.acceptMails])
        expect(await call(spec, { s: bad })).toMatchObject({ status: 200, ...refusal('MAIL_REFUSAL_LINK_BAD') })
    at(Date.now() + 61_000)
    expect((await main.call(contactsApi.sendValidateEmail, { uuid })).code).toBe(200)
  })

  it('the button of a mailbox does the same (RFC 8058)', async () => {
    const main = await createMainAccount()
    const { email } = await createContact(main)
    const address = `${REFUSE_MAILS_PATH}?s=${await refusalSecret(email)}`
    const post = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    const response = await request(address, { ...post, body: 'List-Unsubscribe=One-Click' })
    expect(await response.json()).toMatchObject({ code: 200, msg: '已停止接收' })
    const other = await createMainAccount()
    expect(await other.call(contactsApi.create, { name: '张三', email })).toMatchObject(refusal('CONTACT_MAIL_REFUSED'))
  })
})
