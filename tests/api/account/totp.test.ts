import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { LOGIN_GUARD, TOTP, TOTP_GUARD } from '#contract/login/limits.ts'
import { selectAttempts } from '#db/rate-limit.ts'
import { totpFactors, totpRecoveryCodes } from '#db/schema/accounts.ts'
import { openSealed } from '#security/sealed.ts'
import { totpSecretPlace } from '#security/totp.ts'
import { PASSWORD, createMainAccount, createSubAccount } from '#tests/support/fixtures.ts'
import { selectAudit } from '#tests/support/identity.ts'
import { createPerson, lastText, selectMessages, signInAgain } from '#tests/support/own-contact.ts'
import { db, hubCalls, refusal } from '#tests/support/test-worker.ts'
import { beginSignIn, codesOf, complete, enableTotp, reasonsOf, wrongCode } from '#tests/support/totp.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })) // a code is that of one time step

describe('design 6 · account/totp', () => {
  it('is the caller’s own, in one round trip', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main)
    const off = { enrolled_time: null, recovery_left: 0, ram_required: 0 }
    expect(await main.call(accountApi.totp, {})).toMatchObject({ code: 200, trips: 1, data: off })
    await enableTotp(main)
    expect((await main.call(accountApi.totp, {})).data).toEqual({
      enrolled_time: Date.now(),
      recovery_left: 10,
      ram_required: 0,
    })
    expect((await sub.call(accountApi.totp, {})).data).toEqual(off)
  })
})

describe('design 6 · account/totp_enable', () => {
  it('needs the first code and the password, ends all other sessions, and is audited and announced', async () => {
    const { main, phone, email } = await createPerson()
    const [other, sub] = [await signInAgain(main), await createSubAccount(main)]
    const { secret, uri, setup } = (await main.call(accountApi.totpSetup, {})).data
    expect(uri).toContain(`:${main.username}?issuer=`)
    const before = hubCalls.length
    const typed = { setup, code: codesOf(secret)(), password: PASSWORD }
    const answer = await main.call(accountApi.totpEnable, typed)
    expect(answer).toMatchObject({ code: 200, trips: 2 })
    expect(answer.data.recovery_codes).toHaveLength(TOTP.recoveryCodes)
    expect(hubCalls.slice(before)).toMatchObject([{ kind: 'account', hub: main.hub, method: 'refresh' }])
    expect(await other.call(accountApi.info, {})).toMatchObject(refusal('SESSION_REVOKED'))
    for (const who of [main, sub]) expect((await who.call(accountApi.info, {})).code).toBe(200)
    const [audit] = await selectAudit(main.accountId)
    expect(audit).toMatchObject({ action: 'totp_enable', target: main.username, before: null, after: null })
    expect((await selectMessages(main.accountId)).at(-1)).toMatchObject({ title: '两步验证已开启', person: '' })
    for (const to of [phone, email]) expect(await lastText(to)).toContain('已开启两步验证，其他登录已全部退出')
    for (let i = 0; i <= LOGIN_GUARD.failures; i++)
      expect(await main.call(accountApi.totpEnable, typed)).toMatchObject(refusal('TOTP_ON'))
    const [tries] = await selectAttempts(db, `password:main:${main.accountId}`, Date.now())
    expect(tries?.count ?? 0).toBe(0) // no password was looked at
  })

  it('is announced, where it is a sub-account’s, to it and the account holder, by mail to the latter', async () => {
    const { main, email } = await createPerson()
    const sub = await createSubAccount(main)
    await enableTotp(sub)
    const messages = await selectMessages(main.accountId)
    expect(messages.map(({ person }) => person)).toEqual([`ram:${sub.ramId}`, `main:${main.accountId}`])
    expect(await lastText(email)).toContain(`账号 ${sub.username} 已开启两步验证`)
  })

  it('switches nothing on with a wrong code or password, and guesses at the password pause', async () => {
    const main = await createMainAccount()
    const { secret, setup } = (await main.call(accountApi.totpSetup, {})).data
    const code = codesOf(secret)
    const enable = (over: object) =>
      main.call(accountApi.totpEnable, { setup, code: code(), password: PASSWORD, ...over })
    for (let i = 0; i < LOGIN_GUARD.failures + 1; i++)
      expect(await enable({ code: wrongCode({ code }), password: 'Wrong2026' })).toMatchObject(
        refusal('TOTP_CODE_WRONG'),
      )
    for (let i = 0; i < LOGIN_GUARD.failures; i++)
      expect(await enable({ password: 'Wrong2026' })).toMatchObject(refusal('LOGIN_PASSWORD_WRONG'))
    expect(await enable({})).toMatchObject({ code: 429, reason: 'LOGIN_PASSWORD_PAUSED' })
    expect(await db.$count(totpFactors, eq(totpFactors.accountId, main.accountId))).toBe(0)
  })

  it('takes the set-up of this person only, for fifteen minutes', async () => {
    const [main, other] = [await createMainAccount(), await createMainAccount()]
    const { secret, setup } = (await other.call(accountApi.totpSetup, {})).data
    const code = codesOf(secret)
    const enable = (by: typeof main, sent: string) =>
      by.call(accountApi.totpEnable, { setup: sent, code: code(), password: PASSWORD })
    for (const sent of [setup, `${setup}x`, 'x'])
      expect(await enable(main, sent)).toMatchObject(refusal('TOTP_SETUP_BAD'))
    vi.setSystemTime(Date.now() + TOTP.setupMinutes * 60_000)
    expect(await enable(other, setup)).toMatchObject(refusal('TOTP_SETUP_BAD'))
  })

  it('is done once for two parallel calls', async () => {
    const main = await createMainAccount()
    const setups = [await main.call(accountApi.totpSetup, {}), await main.call(accountApi.totpSetup, {})]
    const answers = await Promise.all(
      setups.map(({ data: { secret, setup } }) =>
        main.call(accountApi.totpEnable, { setup, code: codesOf(secret)(), password: PASSWORD }),
      ),
    )
    expect(reasonsOf(answers)).toEqual([200, 'TOTP_ON'])
    expect(await db.$count(totpRecoveryCodes, eq(totpRecoveryCodes.accountId, main.accountId))).toBe(10)
  })

  it('keeps the secret sealed, for this person, and of recovery codes the hashes', async () => {
    const main = await createMainAccount()
    const { secret, recoveryCodes } = await enableTotp(main)
    const [row] = await db.select().from(totpFactors).where(eq(totpFactors.accountId, main.accountId))
    const place = totpSecretPlace(main.accountId, `main:${main.accountId}`)
    expect(await openSealed(env.SEAL_KEYS, place, row!.secretSealed)).toBe(secret)
    await expect(
      openSealed(env.SEAL_KEYS, totpSecretPlace(main.accountId, 'main:0'), row!.secretSealed),
    ).rejects.toThrow('cannot be opened')
    const kept = await db.select().from(totpRecoveryCodes).where(eq(totpRecoveryCodes.accountId, main.accountId))
    for (const code of recoveryCodes) expect(JSON.stringify(kept)).not.toContain(code.replace('-', ''))
  })
})

describe('design 6 · account/totp_disable', () => {
  it.each(['code', 'recovery_code'] as const)('takes a %s, and the sign-in asks no more', async (kind) => {
    const { main, email } = await createPerson()
    const { code, recoveryCodes } = await enableTotp(main)
    const typed = kind === 'code' ? { code: code() } : { recovery_code: recoveryCodes[0]! }
    const answer = await main.call(accountApi.totpDisable, typed)
    expect(answer).toMatchObject({ code: 200, msg: '关闭成功', trips: 2 })
    expect((await selectAudit(main.accountId))[0]).toMatchObject({ action: 'totp_disable' })
    expect(await lastText(email)).toContain('已关闭两步验证')
    expect(await db.$count(totpRecoveryCodes, eq(totpRecoveryCodes.accountId, main.accountId))).toBe(0)
    expect(await beginSignIn(main.username)).toBe('')
    expect(await main.call(accountApi.totpDisable, typed)).toMatchObject(refusal('TOTP_OFF'))
  })

  it('refuses a code that a sign-in has used, and pauses after ten wrong ones', async () => {
    const main = await createMainAccount()
    const authenticator = await enableTotp(main)
    const used = authenticator.code()
    await complete(await beginSignIn(main.username), { code: used })
    expect(await main.call(accountApi.totpDisable, { code: used })).toMatchObject(refusal('TOTP_CODE_WRONG'))
    const wrong = { code: wrongCode(authenticator) }
    for (let i = 1; i < TOTP_GUARD.failures; i++) await main.call(accountApi.totpDisable, wrong)
    const answer = await main.call(accountApi.totpDisable, { code: authenticator.code(1) })
    expect(answer).toMatchObject({ code: 429, reason: 'TOTP_PAUSED' })
  })

  it('is not for a sub-account whose account requires it', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main)
    const { code } = await enableTotp(sub)
    await main.call(accountApi.totpRequire, { required: 1 })
    expect(await sub.call(accountApi.totpDisable, { code: code() })).toMatchObject(refusal('TOTP_MANDATORY'))
    await main.call(accountApi.totpRequire, { required: 0 })
    expect((await sub.call(accountApi.totpDisable, { code: code() })).code).toBe(200)
  })
})

describe('design 6 · account/totp_recovery', () => {
  it('gives ten new codes for a code, and the old ones end', async () => {
    const { main, email } = await createPerson()
    const { code, recoveryCodes } = await enableTotp(main)
    const answer = await main.call(accountApi.totpRecovery, { code: code() })
    expect(answer).toMatchObject({ code: 200, trips: 2 })
    expect(answer.data.recovery_codes).toHaveLength(10)
    expect((await selectAudit(main.accountId))[0]).toMatchObject({ action: 'totp_recovery' })
    expect(await lastText(email)).toContain('原有恢复码全部失效')
    const ticket = await beginSignIn(main.username)
    const old = { recovery_code: recoveryCodes[0]! }
    expect(await complete(ticket, old)).toMatchObject(refusal('RECOVERY_CODE_WRONG'))
    expect((await complete(ticket, { recovery_code: answer.data.recovery_codes[9]! })).code).toBe(200)
    expect((await main.call(accountApi.totp, {})).data.recovery_left).toBe(9)
  })

  it('is refused to who has no second factor', async () => {
    const main = await createMainAccount()
    expect(await main.call(accountApi.totpRecovery, { code: '123456' })).toMatchObject(refusal('TOTP_OFF'))
  })
})
