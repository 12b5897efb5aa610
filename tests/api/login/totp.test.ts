import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { loginApi } from '#contract/login/index.ts'
import { LOGIN_GUARD, LOGIN_TICKET, TOTP, TOTP_GUARD } from '#contract/login/limits.ts'
import { opsApi } from '#contract/ops/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { accounts, loginTickets } from '#db/schema/accounts.ts'
import { type Caller, createMainAccount, createSubAccount } from '#tests/support/fixtures.ts'
import {
  createCaptcha,
  lastCode,
  nextAddress,
  openSessions,
  readCookie,
  selectAudit,
  signIn,
} from '#tests/support/identity.ts'
import { createPerson, lastText, selectMessages } from '#tests/support/own-contact.ts'
import { call, createTestWorker, db, refusal } from '#tests/support/test-worker.ts'
import { beginSignIn, complete, enableTotp, readTicket, reasonsOf, wrongCode } from '#tests/support/totp.ts'

const STEP_MS = TOTP.periodSeconds * 1000
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })) // a code is that of one time step

const by = (token: string): Pick<Caller, 'call'> => ({ call: (spec, input) => call(spec, input, token) })
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)

describe('design 6 · sign-in with a second factor', () => {
  it('answers 401 with a ticket and opens no session; the code completes it, each step in two round trips', async () => {
    const main = await createMainAccount()
    const { code } = await enableTotp(main)
    const before = await openSessions(main.accountId)
    const first = await signIn(main.username)
    expect(first).toMatchObject({ ...refusal('TOTP_REQUIRED'), code: 401, trips: 2 })
    expect(readTicket(first)).toMatch(/^[\w-]{32}$/)
    expect(first.headers.get('set-cookie')).toBeNull()
    expect(await openSessions(main.accountId)).toEqual(before)

    const second = await complete(readTicket(first), { code: code() })
    expect(second).toMatchObject({ code: 200, trips: 2, data: { user: { username: main.username } } })
    expect(readCookie(second)).toMatch(/^netloom_refresh=/)
    expect((await call(accountApi.info, {}, second.data.access_token)).code).toBe(200)
    expect((await selectAudit(main.accountId))[0]).toMatchObject({
      action: 'sign_in',
      message: '登录控制台，使用动态验证码',
    })
  })

  it('asks sub-accounts, too', async () => {
    const sub = await createSubAccount(await createMainAccount())
    const { code } = await enableTotp(sub)
    const answer = await complete(await beginSignIn(sub.username), { code: code() })
    expect(answer).toMatchObject({ code: 200, data: { user: { username: sub.username, ram: 1 } } })
  })

  it('says nothing of it with a wrong password', async () => {
    const [plain, main] = [await createMainAccount(), await createMainAccount()]
    await enableTotp(main)
    const shown = ({ code, msg, reason, data, trips }: Awaited<ReturnType<typeof signIn>>) =>
      JSON.stringify({ code, msg, reason, data, trips })
    const [a, b] = [plain, main].map(({ username }) => signIn(username, { password: 'Wrong2026' }))
    expect(shown(await b!)).toBe(shown(await a!))
  })

  it('is not asked by a refresh', async () => {
    const main = await createMainAccount()
    const signedIn = await signIn(main.username)
    await enableTotp(by(signedIn.data.access_token))
    expect((await call(loginApi.refresh, {}, { cookie: readCookie(signedIn) })).code).toBe(200)
  })

  it('stays on through a password recovery', async () => {
    const { main, phone } = await createPerson()
    const { code } = await enableTotp(main)
    const { uniqid, code: img_code } = await createCaptcha('find_password')
    const found = await call(
      verifyApi.findPassword,
      { username: main.username, img_code, uniqid },
      { ip: nextAddress() },
    )
    const walk = found.data.uniqid
    await call(verifyApi.findPasswordCode, { uniqid: walk, send_type: 'phone' })
    await call(verifyApi.authentication, { uniqid: walk, send_type: 'phone', code: (await lastCode(phone))! })
    const password = { password: 'Fresh2026', reset_password: 'Fresh2026' }
    expect((await call(verifyApi.resetPassword, { uniqid: walk, ...password })).code).toBe(200)
    const first = await signIn(main.username, { password: 'Fresh2026' })
    expect(first).toMatchObject(refusal('TOTP_REQUIRED'))
    expect((await complete(readTicket(first), { code: code() })).code).toBe(200)
  })

  it('ends the session of the same browser with the new one', async () => {
    const main = await createMainAccount()
    const old = await signIn(main.username)
    const { code } = await enableTotp(by(old.data.access_token))
    const cookie = readCookie(old)
    const answer = await complete(await beginSignIn(main.username, { cookie }), { code: code() }, { cookie })
    expect(answer.code).toBe(200)
    expect(await call(accountApi.info, {}, old.data.access_token)).toMatchObject(refusal('SESSION_REVOKED'))
  })
})

describe('design 6 · codes of an authenticator', () => {
  it('are refused twice in their window, and so is an older one', async () => {
    const main = await createMainAccount()
    const { code } = await enableTotp(main)
    const [first, old] = [code(), code(-1)]
    expect((await complete(await beginSignIn(main.username), { code: first })).code).toBe(200)
    for (const used of [first, old])
      expect(await complete(await beginSignIn(main.username), { code: used })).toMatchObject({
        ...refusal('TOTP_CODE_WRONG'),
        data: { field: 'code' },
      })
    pass(STEP_MS)
    expect((await complete(await beginSignIn(main.username), { code: code() })).code).toBe(200)
  })

  it('open one session for eight parallel calls, each with a ticket of its own', async () => {
    const main = await createMainAccount()
    const { code } = await enableTotp(main)
    const tickets: string[] = []
    for (let i = 0; i < 8; i++) tickets.push(await beginSignIn(main.username))
    const answers = await Promise.all(tickets.map((ticket) => complete(ticket, { code: code() })))
    expect(answers.filter((answer) => answer.code === 200)).toHaveLength(1)
    expect(new Set(reasonsOf(answers))).toEqual(new Set([200, 'TOTP_CODE_WRONG']))
  })

  it('pause after ten wrong ones in an hour, over all tickets, while recovery codes go on working', async () => {
    const main = await createMainAccount()
    const authenticator = await enableTotp(main)
    const wrong = wrongCode(authenticator)
    for (let n = 0; n < TOTP_GUARD.failures;) {
      const ticket = await beginSignIn(main.username)
      for (let i = 0; i < LOGIN_TICKET.tries && n < TOTP_GUARD.failures; i++, n++)
        await complete(ticket, { code: wrong })
    }
    const ticket = await beginSignIn(main.username)
    const paused = await complete(ticket, { code: authenticator.code() })
    expect(paused).toMatchObject({ ...refusal('TOTP_PAUSED', { minutes: 60 }), status: 429, data: { field: 'code' } })
    expect((await complete(ticket, { recovery_code: authenticator.recoveryCodes[0]! })).code).toBe(200)
    pass(TOTP_GUARD.pauseMinutes * 60_000)
    expect((await complete(await beginSignIn(main.username), { code: authenticator.code() })).code).toBe(200)
  })

  it('are not paused by whoever does not know the password', async () => {
    const [main, other] = [await createMainAccount(), await createMainAccount()]
    const authenticator = await enableTotp(main)
    await enableTotp(other)
    const ticket = await beginSignIn(other.username)
    const wrong = { code: wrongCode(authenticator) }
    for (let n = 0; n <= TOTP_GUARD.failures; n++) {
      expect(readTicket(await signIn(main.username, { password: `Wrong${n}00` }))).toBe('')
      await complete(n % 2 === 0 ? ticket : 'x'.repeat(32), wrong)
    }
    expect((await complete(await beginSignIn(main.username), { code: authenticator.code() })).code).toBe(200)
  })
})

describe('design 6 · recovery codes', () => {
  it('sign in once each, in any spelling, and the owner is notified of it', async () => {
    const { main, email } = await createPerson()
    const { recoveryCodes } = await enableTotp(main)
    const [first = '', second = ''] = recoveryCodes
    const answer = await complete(await beginSignIn(main.username), { recovery_code: first.toLowerCase() })
    expect(answer).toMatchObject({ code: 200, trips: 2 })
    expect(await lastText(email)).toContain('使用恢复码登录，还剩9个恢复码')
    expect((await selectMessages(main.accountId)).at(-1)).toMatchObject({ type: '安全', title: '使用恢复码登录' })
    expect(await complete(await beginSignIn(main.username), { recovery_code: first })).toMatchObject({
      ...refusal('RECOVERY_CODE_WRONG'),
      data: { field: 'recovery_code' },
    })
    const bare = second.replace('-', ' ')
    expect((await complete(await beginSignIn(main.username), { recovery_code: bare })).code).toBe(200)
  })

  it('open one session for six parallel calls', async () => {
    const main = await createMainAccount()
    const { recoveryCodes } = await enableTotp(main)
    const tickets: string[] = []
    for (let i = 0; i < 6; i++) tickets.push(await beginSignIn(main.username))
    const typed = { recovery_code: recoveryCodes[3]! }
    const answers = await Promise.all(tickets.map((ticket) => complete(ticket, typed)))
    expect(answers.filter((answer) => answer.code === 200)).toHaveLength(1)
  })

  it('are those of their person only, and not taken beside a code', async () => {
    const [main, other] = [await createMainAccount(), await createMainAccount()]
    const mine = await enableTotp(main)
    const { recoveryCodes } = await enableTotp(other)
    const ticket = await beginSignIn(main.username)
    expect(await complete(ticket, { recovery_code: recoveryCodes[0]! })).toMatchObject(refusal('RECOVERY_CODE_WRONG'))
    const both = { code: mine.code(), recovery_code: mine.recoveryCodes[0]! }
    for (const typed of [both, {}])
      expect(await complete(ticket, typed)).toMatchObject({ code: 422, data: { field: 'code' } })
  })
})

describe('design 6 · tickets of a sign-in', () => {
  it('have exactly five tries, also at once; the right code is void then, and the owner is notified', async () => {
    const { main, email } = await createPerson()
    const authenticator = await enableTotp(main)
    const ticket = await beginSignIn(main.username)
    const wrong = { code: wrongCode(authenticator) }
    const answers = await Promise.all(Array.from({ length: 12 }, () => complete(ticket, wrong)))
    const times = (reason: string) => reasonsOf(answers).filter((one) => one === reason).length
    expect([times('TOTP_CODE_WRONG'), times('LOGIN_TICKET_SPENT'), times('LOGIN_TICKET_BAD')]).toEqual([4, 1, 7])
    const [row] = await db.select().from(loginTickets).where(eq(loginTickets.accountId, main.accountId))
    expect(row!.tries).toBe(LOGIN_TICKET.tries)
    expect(await complete(ticket, { code: authenticator.code() })).toMatchObject(refusal('LOGIN_TICKET_BAD'))
    expect(await lastText(email)).toContain('动态验证码或恢复码连续错误5次')
    expect((await selectAudit(main.accountId))[0]).toMatchObject({ action: 'totp_refused', actorKind: 'system' })
  })

  it('are good once, and for five minutes', async () => {
    const main = await createMainAccount()
    const { code } = await enableTotp(main)
    const [used, old] = [await beginSignIn(main.username), await beginSignIn(main.username)]
    expect((await complete(used, { code: code() })).code).toBe(200)
    pass(STEP_MS)
    expect(await complete(used, { code: code() })).toMatchObject(refusal('LOGIN_TICKET_BAD'))
    pass(LOGIN_TICKET.minutes.verify * 60_000 - STEP_MS)
    expect(await complete(old, { code: code() })).toMatchObject(refusal('LOGIN_TICKET_BAD'))
  })

  it('are of their person: another’s code completes nothing, and nobody’s ticket is none', async () => {
    const [main, other] = [await createMainAccount(), await createMainAccount()]
    await enableTotp(main)
    const { code } = await enableTotp(other)
    const ticket = await beginSignIn(main.username)
    expect(await complete(ticket, { code: code() })).toMatchObject(refusal('TOTP_CODE_WRONG'))
    expect(await complete('none', { code: code() })).toMatchObject(refusal('LOGIN_TICKET_BAD'))
  })

  it('end with the password that they were issued for, and with the account', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main)
    const [mine, theirs] = [await enableTotp(main), await enableTotp(sub)]
    const tickets = [await beginSignIn(main.username), await beginSignIn(sub.username)]
    await db.update(accounts).set({ password: 'another' }).where(eq(accounts.id, main.accountId))
    expect(await complete(tickets[0]!, { code: mine.code() })).toMatchObject(refusal('LOGIN_TICKET_BAD'))
    await db.update(accounts).set({ status: 0 }).where(eq(accounts.id, main.accountId))
    expect(await complete(tickets[1]!, { code: theirs.code() })).toMatchObject(refusal('ACCOUNT_DISABLED'))
  })

  it('of a password that changes while they are looked at open no session', async () => {
    const main = await createMainAccount()
    const { code } = await enableTotp(main)
    const ticket = await beginSignIn(main.username)
    const change = () => db.update(accounts).set({ password: 'another' }).where(eq(accounts.id, main.accountId))
    const { call: racing } = createTestWorker({ afterFirstTrip: change })
    const before = await openSessions(main.accountId)
    expect(await racing(loginApi.totp, { ticket, code: code() })).toMatchObject(refusal('LOGIN_TICKET_BAD'))
    expect(await openSessions(main.accountId)).toEqual(before)
  })

  it('are kept as keyed hashes', async () => {
    const main = await createMainAccount()
    await enableTotp(main)
    const ticket = await beginSignIn(main.username)
    const [row] = await db.select().from(loginTickets).where(eq(loginTickets.accountId, main.accountId))
    expect(JSON.stringify(row)).not.toContain(ticket)
  })

  it('five to a person and address: the sign-in counts as failed until its second step is done', async () => {
    const main = await createMainAccount()
    const { code } = await enableTotp(main)
    const ip = nextAddress()
    let ticket = ''
    for (let i = 0; i < LOGIN_GUARD.failures; i++) ticket = await beginSignIn(main.username, { ip })
    expect(await signIn(main.username, {}, { ip })).toMatchObject({ code: 429, reason: 'LOGIN_PAUSED' })
    expect((await complete(ticket, { code: code() }, { ip })).code).toBe(200)
    expect(await beginSignIn(main.username, { ip })).not.toBe('')
  })
})

describe('account 4 · a token link asks for the second factor', () => {
  it('is used up by the ticket, whose session lives an hour', async () => {
    const main = await createMainAccount()
    const { code } = await enableTotp(main)
    const { url } = (await call(opsApi.tokenLink, { account: main.username })).data
    const token = new URL(url).searchParams.get('token')!
    const first = await call(loginApi.authorization, { token })
    expect(first).toMatchObject({ ...refusal('TOTP_REQUIRED'), trips: 2 })
    expect(await call(loginApi.authorization, { token })).toMatchObject(refusal('LINK_BAD'))
    const second = await complete(readTicket(first), { code: code() })
    expect(second.headers.get('set-cookie')).toContain('Max-Age=3600;')
    expect((await selectAudit(main.accountId))[0]).toMatchObject({ message: '通过授权链接登录，使用动态验证码' })
  })
})
