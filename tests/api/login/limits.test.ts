import { env } from 'cloudflare:test'
import { like, or, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { loginApi } from '#contract/login/index.ts'
import { LOGIN_GUARD } from '#contract/login/limits.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { FAILURE_WORK, PROOF } from '#contract/verify/limits.ts'
import { attempts } from '#db/schema/accounts.ts'
import { unknownNameHash } from '#security/one-time.ts'
import { createCaptcha, nextAddress, signIn } from '#tests/support/identity.ts'
import { PASSWORD, createMainAccount, createSubAccount, unique } from '#tests/support/fixtures.ts'
import { type CallOptions, call, db, refusal } from '#tests/support/test-worker.ts'
import { solveWork } from '#tests/support/work.ts'

const WRONG = { password: 'wrong-pass' }
const paused = { code: 429, status: 429, reason: 'LOGIN_PAUSED', data: { retry_after: expect.any(Number) } }
const failed = refusal('LOGIN_FAILED')
const workRequired = (difficulty: number = PROOF.bitsMin) => ({
  ...refusal('WORK_REQUIRED'),
  data: { field: 'code', difficulty },
})

let block = 0
/** A /48 of IPv6 that no other test counts against, and an address in its nth /64. */
function nextWideBlock() {
  const prefix = `2001:db8:${(++block).toString(16)}`
  return { prefix: `${prefix}::/48`, address: (n: number) => `${prefix}:${n.toString(16)}::1` }
}

const phone = () => `137${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`

/** So many failures, as if they had just happened. */
const setFailures = (key: string, count: number) =>
  db
    .insert(attempts)
    .values({ key, count, windowEnd: Date.now() + 600_000 })
    .onConflictDoUpdate({ target: attempts.key, set: { count } })

const countersLike = (...parts: readonly string[]) =>
  db
    .select({ key: attempts.key, count: attempts.count })
    .from(attempts)
    .where(or(...parts.map((part) => like(attempts.key, `%${part}%`))))

/** A sign-in that does the work it is asked for, with the same captcha. */
async function signInWithWork(username: string, bits: number, sent: CallOptions & { password?: string } = {}) {
  const { password = PASSWORD, ...at } = sent
  const captcha = await createCaptcha()
  const input = { username, password, ...captcha }
  const asked = await call(loginApi.account, input, at)
  const done = await call(loginApi.account, { ...input, nonce: solveWork(captcha.uniqid, bits) }, at)
  return { asked, done }
}

describe('design 6 · pause of a person and an address', () => {
  it('counts every spelling and each of the own names together', async () => {
    const number = phone()
    const username = unique()
    const email = `${username}@example.com`
    await createMainAccount({ username, phone: number, email })
    const ip = nextAddress()
    const names = [username, username.toUpperCase(), number, `+86 ${number}`, `+86${number}`, email, ` ${number} `]
    for (const name of names.slice(0, LOGIN_GUARD.failures))
      expect(await signIn(name, WRONG, { ip })).toMatchObject(failed)
    for (const name of names) expect(await signIn(name, {}, { ip })).toMatchObject(paused)
    expect(await signIn(username)).toMatchObject({ code: 200 })
  })

  it('counts the spellings of a name nobody has together, and no other name', async () => {
    const number = phone()
    const ip = nextAddress()
    const names = [number, `+86 ${number}`, `+86${number}`, ` ${number}`, `${number} `]
    for (const name of names) expect(await signIn(name, WRONG, { ip })).toMatchObject(failed)
    for (const name of names) expect(await signIn(name, WRONG, { ip })).toMatchObject(paused)
    expect(await signIn(unique('nobody'), WRONG, { ip })).toMatchObject(failed)
  })

  it('counts the spellings of a sub-account together', async () => {
    const { username } = await createSubAccount(await createMainAccount())
    const ip = nextAddress()
    for (let i = 0; i < LOGIN_GUARD.failures; i++) {
      const name = i % 2 === 0 ? username.toUpperCase() : ` ${username}`
      expect(await signIn(name, WRONG, { ip, kind: 'ram' })).toMatchObject(failed)
    }
    expect(await signIn(username, {}, { ip, kind: 'ram' })).toMatchObject(paused)
  })

  it('leaves the other people of an account alone', async () => {
    const main = await createMainAccount()
    const sub = await createSubAccount(main)
    const ip = nextAddress()
    for (let i = 0; i < LOGIN_GUARD.failures; i++) await signIn(sub.username, WRONG, { ip, kind: 'ram' })
    expect(await signIn(sub.username, {}, { ip, kind: 'ram' })).toMatchObject(paused)
    expect(await signIn(main.username, {}, { ip })).toMatchObject({ code: 200 })
  })

  it('holds over a whole /48, from more failures on', async () => {
    const { username, accountId } = await createMainAccount()
    const { prefix, address } = nextWideBlock()
    await setFailures(`login:main:${accountId}:${prefix}`, LOGIN_GUARD.failuresPerWideBlock - 1)
    expect(await signIn(username, WRONG, { ip: address(1) })).toMatchObject(failed)
    expect(await signIn(username, {}, { ip: address(2) })).toMatchObject(paused)
    expect(await signIn(username, {}, { ip: nextWideBlock().address(1) })).toMatchObject({ code: 200 })
  })

  it('answers known and unknown names alike, in each spelling and at each try', async () => {
    const [known, unknown] = [phone(), phone()]
    await createMainAccount({ phone: known })
    const spell = (number: string) => [number, `+86 ${number}`, `+86${number}`, `${number} `]
    const answersOf = async (number: string) => {
      const answers = []
      const ip = nextAddress()
      for (const name of [...spell(number), ...spell(number)]) {
        const { status, code, msg, reason, trips } = await signIn(name, WRONG, { ip })
        answers.push({ status, code, msg, reason, trips })
      }
      return answers
    }
    expect(await answersOf(known)).toEqual(await answersOf(unknown))
  })

  it('writes down no name, neither one that somebody has nor another', async () => {
    const { username, accountId } = await createMainAccount()
    const nobody = unique('nobody')
    for (const name of [username, nobody]) await signIn(name, WRONG)
    expect(await countersLike(username, nobody)).toEqual([])
    expect(await countersLike(`main:${accountId}:`)).toHaveLength(1)
  })
})

describe('design 6 · proof of work after repeated failures', () => {
  it('is asked at an account that failed from anywhere, and lets its owner in', async () => {
    const { username, accountId } = await createMainAccount()
    await setFailures(`login:main:${accountId}`, FAILURE_WORK.perAccount - 1)
    expect(await signIn(username, WRONG)).toMatchObject(failed)
    const { asked, done } = await signInWithWork(username, PROOF.bitsMin, { ip: nextAddress() })
    expect(asked).toMatchObject({ ...workRequired(), trips: 2 })
    expect(done).toMatchObject({ code: 200, trips: 2, data: { user: { username } } })
    expect(await countersLike(`main:${accountId}`)).toContainEqual({
      key: `login:main:${accountId}`,
      count: FAILURE_WORK.perAccount,
    })
  })

  it('is asked for a name nobody has just the same', async () => {
    const name = unique('nobody')
    await setFailures(`login:main?${await unknownNameHash(env.HMAC_SECRET, name)}`, FAILURE_WORK.perAccount)
    const { asked, done } = await signInWithWork(name, PROOF.bitsMin, { ip: nextAddress() })
    expect(asked).toMatchObject({ ...workRequired(), trips: 2 })
    expect(done).toMatchObject(failed)
  })

  it('is asked of everybody behind an address, instead of refusing them all', async () => {
    const { username } = await createMainAccount()
    const ip = nextAddress()
    await setFailures(`failures:${ip}`, FAILURE_WORK.perAddress - 1)
    expect(await signIn(unique('nobody'), WRONG, { ip })).toMatchObject(failed)
    expect((await call(verifyApi.code, {}, { ip })).data.difficulty).toBe(PROOF.bitsMin)
    const { asked, done } = await signInWithWork(username, PROOF.bitsMin, { ip })
    expect(asked).toMatchObject(workRequired())
    expect(done).toMatchObject({ code: 200 })
  })

  it('is asked of a whole /48', async () => {
    const { username } = await createMainAccount()
    const { prefix, address } = nextWideBlock()
    await setFailures(`failures:${prefix}`, FAILURE_WORK.perWideBlock)
    expect((await call(verifyApi.code, {}, { ip: address(1) })).data.difficulty).toBe(PROOF.bitsMin)
    expect(await signIn(username, {}, { ip: address(2) })).toMatchObject(workRequired())
    expect(await signIn(username, {}, { ip: nextWideBlock().address(1) })).toMatchObject({ code: 200 })
  })

  it.each([
    [FAILURE_WORK.perAddress, 18],
    [FAILURE_WORK.perAddress * 2, 19],
    [FAILURE_WORK.perAddress * 16, 22],
    [FAILURE_WORK.perAddress * 1_000, 22],
  ])('after %i failures of an address takes %i bits', async (failures, bits) => {
    const ip = nextAddress()
    await setFailures(`failures:${ip}`, failures)
    expect((await call(verifyApi.code, {}, { ip })).data.difficulty).toBe(bits)
    expect(await signIn(unique('nobody'), {}, { ip })).toMatchObject(workRequired(bits))
  })

  it('counts for its captcha only, and only if it was done', async () => {
    const { username } = await createMainAccount()
    const ip = nextAddress()
    await setFailures(`failures:${ip}`, FAILURE_WORK.perAddress)
    const [first, second] = [await createCaptcha(), await createCaptcha()]
    const nonce = solveWork(first.uniqid, PROOF.bitsMin)
    const input = { username, password: PASSWORD }
    for (const wrong of [
      { ...second, nonce },
      { ...first, nonce: 'lazy' },
      { ...first, nonce: '' },
    ])
      expect(await call(loginApi.account, { ...input, ...wrong }, { ip })).toMatchObject(workRequired())
    expect(await call(loginApi.account, { ...input, ...first, nonce }, { ip })).toMatchObject({ code: 200 })
    expect(await call(loginApi.account, { ...input, ...first, nonce }, { ip })).toMatchObject(refusal('CAPTCHA_WRONG'))
  })

  it('is asked before anything counts', async () => {
    const { username, accountId } = await createMainAccount()
    const ip = nextAddress()
    await setFailures(`failures:${ip}`, FAILURE_WORK.perAddress)
    await signIn(username, WRONG, { ip })
    expect(await countersLike(`main:${accountId}`)).toEqual([])
    expect(await countersLike(`failures:${ip}`)).toEqual([{ key: `failures:${ip}`, count: FAILURE_WORK.perAddress }])
  })

  it('is required after wrong captchas, counted for the address only', async () => {
    const { username, accountId } = await createMainAccount()
    const ip = nextAddress()
    for (let i = 0; i < 3; i++)
      expect(await signIn(username, { code: '0000' }, { ip })).toMatchObject(refusal('CAPTCHA_WRONG'))
    expect(await countersLike(`main:${accountId}`)).toEqual([])
    expect(await countersLike(`failures:${ip}`)).toEqual([{ key: `failures:${ip}`, count: 3 }])
    expect(await signIn(username, {}, { ip })).toMatchObject({ code: 200 })
    expect(await countersLike(`failures:${ip}`)).toEqual([{ key: `failures:${ip}`, count: 3 }])
  })

  it('a paused address adds nothing to the account’s count', async () => {
    const { username, accountId } = await createMainAccount()
    const ip = nextAddress()
    for (let i = 0; i < LOGIN_GUARD.failures + 3; i++) await signIn(username, WRONG, { ip })
    const [row] = await db
      .select({ count: attempts.count })
      .from(attempts)
      .where(sql`key = ${`login:main:${accountId}`}`)
    expect(row!.count).toBe(LOGIN_GUARD.failures)
  })
})
