import { eq } from 'drizzle-orm'
import { describe, expect, it, vi, beforeEach } from 'vitest'
import { verifyApi } from '#contract/verify/index.ts'
import { CAPTCHA } from '#contract/verify/limits.ts'
import { attempts, captchas, outbox } from '#db/schema/accounts.ts'
import { CAPTCHA_SIZE } from '#domain/verify/captcha-image.ts'
import { CAPTCHA_ALPHABET } from '#domain/verify/glyphs.ts'
import { createCaptcha, nextAddress, signIn } from '#tests/support/identity.ts'
import { createMainAccount } from '#tests/support/fixtures.ts'
import { solveWork } from '#tests/support/work.ts'
import { findNonce } from '#lib/proof-of-work/find-nonce.ts'
import { createTestWorker, call, db, refusal } from '#tests/support/test-worker.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })) // no minute ends within a test

describe('account 7 · verify/code', () => {
  it('draws a PNG and keeps only an HMAC of its text', async () => {
    const answer = await call(verifyApi.code, {}, { ip: nextAddress() })
    const png = Buffer.from(answer.data.content.replace('data:image/png;base64,', ''), 'base64')
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([CAPTCHA_SIZE.width, CAPTCHA_SIZE.height])
    expect(png.length).toBeLessThan(8_000)
    const [row] = await db.select().from(captchas).where(eq(captchas.uniqid, answer.data.uniqid))
    const [sent] = await db.select().from(outbox).where(eq(outbox.uniqid, answer.data.uniqid))
    expect(sent!.code).toMatch(new RegExp(`^[${CAPTCHA_ALPHABET}]{4}$`))
    expect(row).toMatchObject({ purpose: 'login', answer: expect.stringMatching(/^[\w-]{43}$/) })
    expect(answer.trips).toBe(1)
  })

  it('leaves no text anywhere outside a local run', async () => {
    const deployed = createTestWorker({ env: { ENVIRONMENT: 'staging' } })
    const { data } = await deployed.call(verifyApi.code, {}, { ip: nextAddress() })
    expect(await db.select().from(outbox).where(eq(outbox.uniqid, data.uniqid))).toEqual([])
  })

  it('is drawn thirty times a minute for one address', async () => {
    const ip = nextAddress()
    const answers = await Promise.all(Array.from({ length: 34 }, () => call(verifyApi.code, {}, { ip })))
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(CAPTCHA.perAddressPerMinute)
    expect(answers.find(({ code }) => code !== 200)).toMatchObject({
      status: 429,
      ...refusal('TOO_OFTEN', { retry_after: 60 }),
    })
    expect(await call(verifyApi.code, {}, { ip: nextAddress() })).toMatchObject({ code: 200 })
  })

  it('is counted before it is drawn', async () => {
    const ip = nextAddress()
    for (let i = 0; i < CAPTCHA.perAddressPerMinute; i++) await call(verifyApi.code, {}, { ip })
    const random = vi.spyOn(crypto, 'getRandomValues')
    /** Numbers by which images were drawn; secrets are bytes. */
    const drawn = () => random.mock.calls.filter(([array]) => array instanceof Uint32Array).length
    expect(await call(verifyApi.code, {}, { ip })).toMatchObject({ code: 429 })
    expect(drawn()).toBe(0)
    expect(await call(verifyApi.code, {}, { ip: nextAddress() })).toMatchObject({ code: 200 })
    expect(drawn()).toBeGreaterThan(0)
    random.mockRestore()
  })

  it('is drawn 120 times a minute for all addresses of a /48', async () => {
    const ip = (n: number) => `2001:db8:ffff:${n.toString(16)}::1`
    const answers = []
    for (let n = 0; n < 5; n++)
      answers.push(...(await Promise.all(Array.from({ length: 29 }, () => call(verifyApi.code, {}, { ip: ip(n) })))))
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(CAPTCHA.perWideBlockPerMinute)
    expect(await call(verifyApi.code, {}, { ip: ip(9) })).toMatchObject(refusal('TOO_OFTEN', { retry_after: 60 }))
    expect(await call(verifyApi.code, {}, { ip: '2001:db8:fffe::1' })).toMatchObject({ code: 200 })
  })

  it('expires', async () => {
    const { username } = await createMainAccount()
    const captcha = await createCaptcha()
    await db
      .update(captchas)
      .set({ expiresAt: Date.now() - 1 })
      .where(eq(captchas.uniqid, captcha.uniqid))
    expect(await signIn(username, captcha)).toMatchObject(refusal('CAPTCHA_WRONG'))
  })

  it('refuses an unknown purpose', async () => {
    expect(await call(verifyApi.code, { purpose: 'other' as 'login' })).toMatchObject({ code: 422 })
  })
})

/** A nonce of so many bits of work and not one more. */
function findExact(challenge: string, bits: number): string {
  for (let start = 0; ; start++) {
    const nonce = findNonce(challenge, bits, start)!
    if (findNonce(challenge, bits + 1, Number(nonce), 1) === null) return nonce
    start = Number(nonce)
  }
}

describe('account 5 · verify/proof', { timeout: 60_000 }, () => {
  const redeem = (challenge: string, nonce: string) =>
    call(verifyApi.proof, { challenge, nonce }, { ip: nextAddress() })

  it('is worth one captcha with its text, which signs in; a second time it is worth nothing', async () => {
    const { username } = await createMainAccount()
    const { data, trips } = await call(verifyApi.challenge, {})
    expect(trips).toBe(1)
    const nonce = solveWork(data.challenge, data.difficulty)
    const answers = await Promise.all(Array.from({ length: 5 }, () => redeem(data.challenge, nonce)))
    const [good, ...rest] = answers.toSorted((a, b) => a.code - b.code)
    expect(good).toMatchObject({ code: 200, trips: 1 })
    for (const answer of rest) expect(answer).toMatchObject(refusal('PROOF_WRONG'))
    expect(await signIn(username, good!.data)).toMatchObject({ code: 200 })
    expect(await redeem(data.challenge, nonce)).toMatchObject(refusal('PROOF_WRONG'))

    const forged = data.challenge.replace('login', 'register')
    expect(await redeem(forged, solveWork(forged, data.difficulty))).toMatchObject(refusal('PROOF_WRONG'))
    const later = data.challenge.replace(/\.\d+\./, `.${Date.now() + 1e9}.`)
    expect(await redeem(later, solveWork(later, data.difficulty))).toMatchObject(refusal('PROOF_WRONG'))
  })

  it('is open to everybody behind an address whose pictures are used up', async () => {
    const ip = nextAddress()
    for (let i = 0; i < CAPTCHA.perAddressPerMinute; i++) await call(verifyApi.code, {}, { ip })
    expect(await call(verifyApi.code, {}, { ip })).toMatchObject(refusal('TOO_OFTEN', { retry_after: 60 }))
    const { username } = await createMainAccount()
    const { data } = await call(verifyApi.challenge, {}, { ip })
    const nonce = solveWork(data.challenge, data.difficulty)
    const proof = await call(verifyApi.proof, { challenge: data.challenge, nonce }, { ip })
    expect(await signIn(username, proof.data, { ip })).toMatchObject({ code: 200 })
  })

  it.each([
    ['198.51.100.41', 'proof:198.51.100.41', CAPTCHA.perAddressPerMinute, 18],
    ['198.51.100.42', 'proof:198.51.100.42', CAPTCHA.perAddressPerMinute * 2, 19],
    ['198.51.100.43', 'proof:198.51.100.43', CAPTCHA.perAddressPerMinute * 4, 20],
    ['198.51.100.44', 'proof:198.51.100.44', 1e9, 22],
    ['2001:db8:eee1:1::1', 'proof:2001:db8:eee1::/48', CAPTCHA.perWideBlockPerMinute * 2, 19],
  ])('takes more work instead of being refused: %s, %s %i times used, %i bits', async (ip, key, count, bits) => {
    await db.insert(attempts).values({ key, count, windowEnd: Date.now() + 60_000 })
    const { data } = await call(verifyApi.challenge, {}, { ip })
    expect(data.difficulty).toBe(bits)
    const { challenge } = data
    const least = { challenge, nonce: findExact(challenge, bits - 1) }
    expect(await call(verifyApi.proof, least, { ip })).toMatchObject(refusal('PROOF_WRONG'))
    if (bits > 20) return // seconds of work
    const done = { challenge, nonce: solveWork(challenge, bits) }
    expect(await call(verifyApi.proof, done, { ip })).toMatchObject({ code: 200, trips: 1 })
  })

  it.each(['', 'a.b.c', 'login.9999999999999.abc.', 'login..x.y'])('refuses the challenge %j', async (challenge) => {
    expect((await redeem(challenge, '1')).code).toBe(422)
  })

  it('refuses work that was not done', async () => {
    const { data } = await call(verifyApi.challenge, { purpose: 'register' })
    expect(await redeem(data.challenge, 'lazy')).toMatchObject(refusal('PROOF_WRONG'))
  })
})
