import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { loginApi } from '#contract/login/index.ts'
import { LOGIN_TICKET } from '#contract/login/limits.ts'
import { totpFactors, totpRecoveryCodes } from '#db/schema/accounts.ts'
import { createSubAccount } from '#tests/support/fixtures.ts'
import { openSessions, readCookie, selectAudit, signIn } from '#tests/support/identity.ts'
import { createPerson, lastText, selectMessages } from '#tests/support/own-contact.ts'
import { call, db, refusal } from '#tests/support/test-worker.ts'
import { beginSignIn, codesOf, complete, enableTotp, readTicket, reasonsOf, wrongCode } from '#tests/support/totp.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })) // a code is that of one time step

/** A sub-account that must have a second factor and has none. */
async function createRequired() {
  const { main, email } = await createPerson()
  const sub = await createSubAccount(main)
  await main.call(accountApi.totpRequire, { required: 1 })
  return { main, email, sub }
}

const readSetup = async (ticket: string) => (await call(loginApi.totpSetup, { ticket })).data

describe('design 6 · where a second factor is required and not set, the sign-in sets it up', () => {
  it('before any session exists: secret, first code, recovery codes; then it is asked for', async () => {
    const { main, email, sub } = await createRequired()
    const first = await signIn(sub.username, {}, { kind: 'ram' })
    expect(first).toMatchObject({ ...refusal('TOTP_ENROL_REQUIRED'), code: 401, trips: 2 })
    const ticket = readTicket(first)
    const setup = await call(loginApi.totpSetup, { ticket })
    expect(setup).toMatchObject({ code: 200, trips: 1, data: { uri: expect.stringContaining(setup.data.secret) } })
    expect(await openSessions(main.accountId)).toHaveLength(1)

    const code = codesOf(setup.data.secret)
    const done = await call(loginApi.totpEnable, { ticket, setup: setup.data.setup, code: code() })
    expect(done).toMatchObject({ code: 200, trips: 2, data: { user: { username: sub.username } } })
    expect(done.data.recovery_codes).toHaveLength(10)
    expect(readCookie(done)).toMatch(/^netloom_refresh=/)
    expect((await call(accountApi.info, {}, done.data.access_token)).code).toBe(200)
    const actions = (await selectAudit(main.accountId)).slice(0, 2).map(({ action, actorName }) => [action, actorName])
    expect(actions).toEqual([
      ['totp_enable', sub.username],
      ['sign_in', sub.username],
    ])
    const people = (await selectMessages(main.accountId)).filter(({ title }) => title === '两步验证已开启')
    expect(people.map(({ person }) => person)).toEqual([`ram:${sub.ramId}`, `main:${main.accountId}`])
    expect(await lastText(email)).toContain(`账号 ${sub.username} 已开启两步验证`)

    expect(await complete(await beginSignIn(sub.username), { code: code() })).toMatchObject(refusal('TOTP_CODE_WRONG'))
    expect((await complete(await beginSignIn(sub.username), { code: code(1) })).code).toBe(200)
  })

  it('not of the main account, nor where it is no more required', async () => {
    const { main, sub } = await createRequired()
    expect((await signIn(main.username)).code).toBe(200)
    await main.call(accountApi.totpRequire, { required: 0 })
    expect((await signIn(sub.username, {}, { kind: 'ram' })).code).toBe(200)
  })

  it('a wrong first code costs a try and switches nothing on; the sixth finds no ticket', async () => {
    const { main, sub } = await createRequired()
    const ticket = await beginSignIn(sub.username)
    const { secret, setup } = await readSetup(ticket)
    const code = codesOf(secret)
    const wrong = { ticket, setup, code: wrongCode({ code }) }
    const answers = await Promise.all(Array.from({ length: 8 }, () => call(loginApi.totpEnable, wrong)))
    const times = (reason: string) => reasonsOf(answers).filter((one) => one === reason).length
    expect([times('TOTP_CODE_WRONG'), times('LOGIN_TICKET_SPENT'), times('LOGIN_TICKET_BAD')]).toEqual([4, 1, 3])
    expect(await call(loginApi.totpEnable, { ticket, setup, code: code() })).toMatchObject(refusal('LOGIN_TICKET_BAD'))
    expect(await db.$count(totpFactors, eq(totpFactors.accountId, main.accountId))).toBe(0)
  })

  it('once for several tickets at once', async () => {
    const { main, sub } = await createRequired()
    const tickets = [await beginSignIn(sub.username), await beginSignIn(sub.username), await beginSignIn(sub.username)]
    const answers = await Promise.all(
      tickets.map(async (ticket) => {
        const { secret, setup } = await readSetup(ticket)
        return call(loginApi.totpEnable, { ticket, setup, code: codesOf(secret)() })
      }),
    )
    expect(reasonsOf(answers)).toEqual([200, 'LOGIN_TICKET_BAD', 'LOGIN_TICKET_BAD'].toSorted())
    expect(await db.$count(totpRecoveryCodes, eq(totpRecoveryCodes.accountId, main.accountId))).toBe(10)
  })

  it('a quarter of an hour after the password: an authenticator may have to be installed first', async () => {
    const { sub } = await createRequired()
    const ticket = await beginSignIn(sub.username)
    const { secret, setup } = await readSetup(ticket)
    vi.setSystemTime(Date.now() + 14 * 60_000)
    expect((await call(loginApi.totpEnable, { ticket, setup, code: codesOf(secret)() })).code).toBe(200)
  })

  it('with the set-up of this person only', async () => {
    const [{ sub }, other] = [await createRequired(), await createRequired()]
    const [ticket, foreign] = [await beginSignIn(sub.username), await beginSignIn(other.sub.username)]
    const { secret, setup } = await readSetup(foreign)
    const sent = { ticket, setup, code: codesOf(secret)() }
    expect(await call(loginApi.totpEnable, sent)).toMatchObject(refusal('TOTP_SETUP_BAD'))
  })

  it('a ticket of one step is none of the other, and one of a quarter of an hour ago is none', async () => {
    const { main, sub } = await createRequired()
    const { code } = await enableTotp(main)
    const [verify, enrol] = [await beginSignIn(main.username), await beginSignIn(sub.username)]
    const { setup } = await readSetup(enrol)
    const bad = refusal('LOGIN_TICKET_BAD')
    expect(await call(loginApi.totpSetup, { ticket: verify })).toMatchObject(bad)
    expect(await call(loginApi.totpEnable, { ticket: verify, setup, code: code() })).toMatchObject(bad)
    expect(await complete(enrol, { code: code() })).toMatchObject(bad)
    const start = Date.now()
    vi.setSystemTime(start + LOGIN_TICKET.minutes.enrol * 60_000 - 1)
    expect((await call(loginApi.totpSetup, { ticket: enrol })).code).toBe(200)
    vi.setSystemTime(start + LOGIN_TICKET.minutes.enrol * 60_000)
    expect(await call(loginApi.totpSetup, { ticket: enrol })).toMatchObject(bad)
  })
})
