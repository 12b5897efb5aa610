import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { contactsApi } from '#contract/contacts/index.ts'
import { CONTACT } from '#contract/contacts/limits.ts'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import { accounts } from '#db/schema/accounts.ts'
import { contacts } from '#db/schema/monitor.ts'
import { selectMailTarget } from '#features/contacts/sql/contacts.ts'
import {
  contactRow,
  createContact,
  createVerifiedContact,
  lastSecret,
  mailsTo,
  uniqueEmail,
} from '#tests/support/contacts.ts'
import { createMainAccount, createSubAccount, unique } from '#tests/support/fixtures.ts'
import { selectAudit } from '#tests/support/identity.ts'
import { call, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

const MISSING = '00000000-0000-4000-8000-000000000000'

describe('account 7 · contacts/create', () => {
  it('adds an unverified contact, mails its address behind the answer, and leaves an audit row', async () => {
    const main = await createMainAccount({ nickname: '启明智造' })
    const email = uniqueEmail()
    const answer = await main.call(contactsApi.create, { name: ' 张三 ', email: email.toUpperCase() })
    expect(answer).toMatchObject({ code: 200, msg: '添加成功', trips: 1 })
    const { data } = await main.call(contactsApi.info, { uuid: answer.data.uuid })
    expect(data).toMatchObject({
      name: '张三',
      email,
      email_verify: 0,
      email_verify_time: null,
      expire_time: null,
      re_email_verify: 1,
      mail_pending: 0,
      mail_error: '',
    })
    const [mail, ...more] = await mailsTo(email)
    expect(more).toEqual([])
    expect(mail?.text).toContain('“启明智造”希望向此邮箱发送')
    expect(mail?.text).toMatch(/https:\/\/[\w.-]+\/validate\/email\?s=[\w-]{32}\n/)
    expect(mail?.text).not.toContain('张三') // no text of the account's choice reaches a stranger
    expect((await selectAudit(main.accountId))[0]).toMatchObject({
      module: 'contacts',
      action: 'create',
      target: answer.data.uuid,
      message: '添加联系人“张三”',
      after: JSON.stringify({ name: '张三', email }),
    })
  })

  it.each([
    [{ name: '', email: 'a@b.cn' }, '请输入名称', 'name'],
    [{ name: '\u200b ', email: 'a@b.cn' }, '请输入名称', 'name'],
    [{ name: '名'.repeat(25), email: 'a@b.cn' }, '名称不能超过24个字符', 'name'],
    [{ name: '张三', email: ' ' }, '请输入邮箱', 'email'],
    [{ name: '张三', email: 'a@b' }, '请输入正确的邮箱', 'email'],
    [{ name: '张三', email: 'a@b.cn\r\nBcc: x@y.cn' }, '请输入正确的邮箱', 'email'],
    [{ name: '张三', email: `${'a'.repeat(60)}@b.cn` }, '邮箱不能超过64个字符', 'email'],
  ])('account 5: refuses %o', async (input, msg, field) => {
    const main = await createMainAccount()
    expect(await main.call(contactsApi.create, input)).toMatchObject({ code: 422, msg, data: { field } })
  })

  it('takes an address once in an account, in any case, and again in another account', async () => {
    const [main, other] = [await createMainAccount(), await createMainAccount()]
    const { email } = await createContact(main)
    const again = await main.call(contactsApi.create, { name: '李四', email: email.toUpperCase() })
    expect(again).toMatchObject({ ...refusal('CONTACT_EMAIL_TAKEN'), data: { field: 'email' } })
    expect(await mailsTo(email)).toHaveLength(1)
    expect((await other.call(contactsApi.create, { name: '李四', email })).code).toBe(200)
  })

  it('ends at fifty, also for calls at the same time', async () => {
    const main = await createMainAccount()
    const row = { accountId: main.accountId, mailState: 'sent', mailAt: 1, createdAt: 1 } as const
    for (let i = 0; i < CONTACT.max - 1; i++)
      await db.insert(contacts).values({ ...row, uuid: unique(), name: `${i}`, email: uniqueEmail() })
    const answers = await Promise.all(
      [1, 2, 3].map(() => main.call(contactsApi.create, { name: '末位', email: uniqueEmail() })),
    )
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(answers.find(({ code }) => code !== 200)).toMatchObject(
      refusal('CONTACT_LIMIT_REACHED', { limit: CONTACT.max }),
    )
  })
})

describe('account 7 · contacts/lists', () => {
  it('pages newest first in one trip, and searches name and address', async () => {
    const main = await createMainAccount()
    const row = { accountId: main.accountId, mailState: 'sent', mailAt: 1, createdAt: 1 } as const
    for (let i = 1; i <= 12; i++)
      await db.insert(contacts).values({ ...row, uuid: unique(), name: `值班${i}`, email: `duty${i}@qiming.example` })
    const first = await main.call(contactsApi.lists, {})
    expect(first).toMatchObject({ count: 12, trips: 1 })
    expect(first.data.map(({ name }) => name)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((i) => `值班${i}`))
    expect((await main.call(contactsApi.lists, { page: 2 })).data).toHaveLength(2)
    for (const search of ['值班12', 'DUTY12@'])
      expect((await main.call(contactsApi.lists, { search })).data.map(({ name }) => name)).toEqual(['值班12'])
    expect((await main.call(contactsApi.lists, { search: '%' })).count).toBe(0)
  })
})

describe('account 6 · names and addresses of contacts', () => {
  it.each([
    ['monitor:view', ['monitor:view'], null, true],
    ['monitor:edit of the whole account', ['monitor:edit'], null, true],
    ['monitor:edit of some networks', ['monitor:edit'], [], false],
    ['every flag but those of monitoring', PERMISSIONS.filter((flag) => !flag.startsWith('monitor')), null, false],
    ['no flag', [], null, false],
  ] as const)('a role with %s', async (_, flags, networks, isShown) => {
    const main = await createMainAccount()
    const email = `zhang.wei.${unique('c')}@qiming.example`
    const { uuid } = await createContact(main, email, '张伟明')
    const sub = await createSubAccount(main, { flags: [...flags], networks: networks && [...networks] })
    const answers = [await sub.call(contactsApi.lists, {}), await sub.call(contactsApi.info, { uuid })]
    for (const answer of answers) {
      const text = JSON.stringify(answer.data)
      expect([answer.code, text.includes(email), text.includes('张伟明')]).toEqual([200, isShown, isShown])
      expect(text.includes('"name":"张**","email":"z***@q***.example"')).toBe(!isShown)
    }
    for (const search of ['伟', email]) {
      expect((await sub.call(contactsApi.lists, { search })).count).toBe(isShown ? 1 : 0)
    }
  })
})

describe('account 7 · contacts/edit', () => {
  it('another name keeps the authorization and sends nothing', async () => {
    const main = await createMainAccount()
    const { uuid, email } = await createVerifiedContact(main)
    expect(await main.call(contactsApi.edit, { uuid, name: '李四', email })).toMatchObject({
      code: 200,
      msg: '修改成功',
      trips: 2,
    })
    expect((await main.call(contactsApi.info, { uuid })).data).toMatchObject({ name: '李四', email_verify: 1 })
    expect(await mailsTo(email)).toHaveLength(1)
    expect((await selectAudit(main.accountId))[0]).toMatchObject({
      message: '修改联系人“张三”',
      before: JSON.stringify({ name: '张三' }),
      after: JSON.stringify({ name: '李四' }),
    })
  })

  it('another address is unverified and mailed at once, and the link of the one before is void', async () => {
    const main = await createMainAccount()
    const { uuid, email, name } = await createVerifiedContact(main)
    const before = await lastSecret(email)
    const next = uniqueEmail()
    expect(await main.call(contactsApi.edit, { uuid, name, email: next })).toMatchObject({ code: 200, trips: 2 })
    expect((await main.call(contactsApi.info, { uuid })).data).toMatchObject({ email: next, email_verify: 0 })
    expect(await call(contactsApi.validateEmail, { s: before })).toMatchObject(refusal('CONTACT_LINK_BAD'))
    expect(await call(contactsApi.validateEmail, { s: await lastSecret(next) })).toMatchObject({ code: 200 })
    expect((await contactRow(uuid)).verifiedAt).not.toBeNull()
  })

  it('refuses an address of another contact, and then changes nothing', async () => {
    const main = await createMainAccount()
    const [first, second] = [await createContact(main), await createVerifiedContact(main)]
    const answer = await main.call(contactsApi.edit, { ...second, email: first.email })
    expect(answer).toMatchObject({ ...refusal('CONTACT_EMAIL_TAKEN'), data: { field: 'email' } })
    expect(await contactRow(second.uuid)).toMatchObject({ email: second.email, verifiedAt: expect.any(Number) })
  })

  it('the same values write nothing', async () => {
    const main = await createMainAccount()
    const contact = await createContact(main)
    expect(await main.call(contactsApi.edit, contact)).toMatchObject({ code: 200, trips: 1 })
    expect(await selectAudit(main.accountId)).toHaveLength(1)
  })
})

describe('account 7 · contacts/delete', () => {
  it('removes the contact, and its link is void', async () => {
    const main = await createMainAccount()
    const { uuid, email } = await createContact(main)
    expect(await main.call(contactsApi.delete, { uuid })).toMatchObject({ code: 200, msg: '删除成功', trips: 2 })
    expect(await main.call(contactsApi.info, { uuid })).toMatchObject(refusal('CONTACT_NOT_FOUND'))
    expect(await call(contactsApi.validateEmail, { s: await lastSecret(email) })).toMatchObject(
      refusal('CONTACT_LINK_BAD'),
    )
    expect((await selectAudit(main.accountId))[0]).toMatchObject({ action: 'delete', message: '删除联系人“张三”' })
  })
})

describe('account 6 · contacts are the account’s, written by main and by monitor:edit of an unlimited role', () => {
  it('another tenant’s contact answers like a missing one and stays as it is', async () => {
    const [main, stranger] = [await createMainAccount(), await createMainAccount()]
    const { uuid } = await createVerifiedContact(main)
    const before = await contactRow(uuid)
    for (const spec of [contactsApi.info, contactsApi.delete, contactsApi.sendValidateEmail, contactsApi.updateVerify])
      for (const named of [uuid, MISSING])
        expect(await stranger.call(spec, { uuid: named })).toMatchObject(refusal('CONTACT_NOT_FOUND'))
    const edit = { name: '李四', email: uniqueEmail() }
    expect(await stranger.call(contactsApi.edit, { uuid, ...edit })).toMatchObject(refusal('CONTACT_NOT_FOUND'))
    expect(await contactRow(uuid)).toEqual(before)
    expect((await stranger.call(contactsApi.lists, {})).data).toEqual([])
  })

  it.each([
    ['monitor:edit of an unlimited role', { flags: ['monitor:edit'] }, 200],
    ['monitor:edit of a limited role', { flags: ['monitor:edit'], networks: [] }, 403],
    ['every other permission', { flags: PERMISSIONS.filter((flag) => flag !== 'monitor:edit') }, 403],
  ] as const)('%s', async (_, role, code) => {
    const main = await createMainAccount()
    const { uuid } = await createContact(main)
    const sub = await createSubAccount(main, role)
    expect((await sub.call(contactsApi.lists, {})).count).toBe(1)
    expect((await sub.call(contactsApi.info, { uuid })).code).toBe(200)
    expect((await sub.call(contactsApi.create, { name: '王五', email: uniqueEmail() })).code).toBe(code)
    expect((await sub.call(contactsApi.edit, { uuid, name: '王五', email: uniqueEmail() })).code).toBe(code)
    expect((await sub.call(contactsApi.delete, { uuid })).code).toBe(code)
  })
})

describe('account 5 · an unverified e-mail cannot receive messages', () => {
  it('nor one whose authorization is over, nor one of another account', async () => {
    const [main, other] = [await createMainAccount(), await createMainAccount()]
    const good = await createVerifiedContact(main)
    const unverified = await createContact(main)
    const foreign = await createVerifiedContact(other)
    const { expiresAt } = await contactRow(good.uuid)
    const isAccount = eq(accounts.id, main.accountId)
    const at = (now: number) => selectMailTarget(db, isAccount, good.email, now)
    expect(await at(expiresAt! - 1)).toEqual([{ accountId: main.accountId, uuid: good.uuid }])
    expect(await at(expiresAt!)).toEqual([])
    expect(await selectMailTarget(db, isAccount, unverified.email, 0)).toEqual([])
    expect(await selectMailTarget(db, isAccount, foreign.email, 0)).toEqual([])
  })
})

describe('account 2 · the hub that mails alerts knows whom it may write to', () => {
  it('right after a verification, another address, a renewal and a deletion', async () => {
    const main = await createMainAccount()
    const isRefreshed = () => hubCalls.some(({ hub, method }) => hub === main.hub && method === 'refresh')
    const contact = await createContact(main)
    expect(isRefreshed()).toBe(false)
    const steps = [
      async () => call(contactsApi.validateEmail, { s: await lastSecret(contact.email) }),
      () => main.call(contactsApi.updateVerify, { uuid: contact.uuid }),
      () => main.call(contactsApi.edit, { uuid: contact.uuid, name: '张三', email: uniqueEmail() }),
      () => main.call(contactsApi.delete, { uuid: contact.uuid }),
    ]
    for (const step of steps) {
      hubCalls.length = 0
      expect((await step()).code).toBe(200)
      expect(isRefreshed()).toBe(true)
    }
  })
})
