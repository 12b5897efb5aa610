import { env } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { API } from '#contract/api.ts'
import { clientApi } from '#contract/client/index.ts'
import { CALL_LIMIT, CALL_LIMITS } from '#contract/kernel/limits.ts'
import { loginApi } from '#contract/login/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { PROOF } from '#contract/verify/limits.ts'
import { answeringLimits, countingLimits } from '#tests/support/call-limits.ts'
import { PASSWORD, createMainAccount } from '#tests/support/fixtures.ts'
import { nextAddress, readCookie, signIn } from '#tests/support/identity.ts'
import { createTestWorker, refusal } from '#tests/support/test-worker.ts'
import { solveWork } from '#tests/support/work.ts'

const BUSY = refusal('ADDRESS_BUSY', { retry_after: CALL_LIMIT.retryAfterS })
const full = createTestWorker({ env: answeringLimits(async () => ({ success: false })) })

describe('design 4 · limits in front of the database', () => {
  it.each(API.filter(({ limit }) => limit !== undefined))(
    'refuse $path beyond the limit of its address block, without the database',
    async (spec) => {
      const answer = await full.call(spec, spec.example, { ip: nextAddress() })
      expect(answer).toMatchObject({ status: 429, trips: 0, ...BUSY, data: { retry_after: CALL_LIMIT.retryAfterS } })
      expect(answer.headers.get('retry-after')).toBe(String(CALL_LIMIT.retryAfterS))
    },
  )

  it('let calls pass where they are away, and say so in the log', async () => {
    const lines: string[] = []
    vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line))
    const { call } = createTestWorker({ env: answeringLimits(() => Promise.reject(new Error('limits are away'))) })
    expect(await call(verifyApi.code, {}, { ip: nextAddress() })).toMatchObject({ code: 200 })
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ event: 'call_limit', call: 'captcha' })
  })

  it.each([
    ['198.51.100.1', '198.51.100.254', '198.51.101.1'],
    ['2001:db8:7:1::1', '2001:db8:7:ffff::9', '2001:db8:8:1::1'],
  ])('count %s with %s, and %s apart', async (first, neighbour, other) => {
    const { call } = createTestWorker({ env: countingLimits().env })
    for (let n = 0; n < CALL_LIMITS.login; n++)
      await call(loginApi.authorization, { token: 'x' }, { ip: n % 2 === 0 ? first : neighbour })
    expect(await call(loginApi.authorization, { token: 'x' }, { ip: neighbour })).toMatchObject(BUSY)
    expect(await call(loginApi.authorization, { token: 'x' }, { ip: other })).toMatchObject(refusal('LINK_BAD'))
  })

  it('of the platform count and refuse', async () => {
    const { call } = createTestWorker({ env: { LIMIT_CAPTCHA: env.TEST_LIMIT } })
    const ip = nextAddress()
    const codes: number[] = []
    for (let n = 0; n < 8; n++) codes.push((await call(verifyApi.code, {}, { ip })).code)
    expect(codes.slice(0, 2)).toEqual([200, 200])
    expect(codes.filter((code) => code === 429).length).toBeGreaterThanOrEqual(2) // a minute may end in between
  })
})

describe('account 7 · verify/challenge and verify/proof behind a busy address', () => {
  it('is given out without the database, with the hardest work', async () => {
    const ip = nextAddress()
    expect(await full.call(verifyApi.challenge, {}, { ip })).toMatchObject({
      code: 200,
      trips: 0,
      data: { difficulty: PROOF.bitsMax },
    })
  })

  it('is taken from everybody; the same one again and again is not even looked up', async () => {
    const { call } = createTestWorker({ env: countingLimits().env })
    const ip = nextAddress()
    const { challenge, difficulty } = (await call(verifyApi.challenge, {}, { ip })).data
    const solved = { challenge, nonce: solveWork(challenge, difficulty) }
    const answers = []
    for (let n = 0; n <= CALL_LIMITS.proof; n++)
      answers.push(await call(verifyApi.proof, solved, { ip: nextAddress() }))
    expect(answers[0]).toMatchObject({ code: 200 })
    expect(answers[1]).toMatchObject({ ...refusal('PROOF_WRONG'), trips: 1 })
    expect(answers.at(-1)).toMatchObject({ ...refusal('PROOF_WRONG'), trips: 0 })
  })

  it('stands for all pictures with CAPTCHA_MODE work, without the database', async () => {
    const { call } = createTestWorker({ env: { CAPTCHA_MODE: 'work' } })
    const ip = nextAddress()
    expect(await call(verifyApi.code, {}, { ip })).toMatchObject({ ...refusal('CAPTCHA_BY_WORK'), trips: 0 })
    const { challenge, difficulty } = (await call(verifyApi.challenge, {}, { ip })).data
    const { data } = await call(verifyApi.proof, { challenge, nonce: solveWork(challenge, difficulty) }, { ip })
    const { username } = await createMainAccount()
    const answer = await call(loginApi.account, { username, password: PASSWORD, ...data }, { ip })
    expect(answer).toMatchObject({ code: 200, data: { user: { username } } })
  })
})

describe('directory 3 · names of hosts behind a busy address', () => {
  const PATH = '/api/v1/site/config' // which asks no database of its own
  const KNOWN_MS = 5_000
  const open = () => {
    const { env: limits } = countingLimits()
    const { request, countTrips } = createTestWorker({ env: { ...limits, OPEN_TO_OTHERS: '1' } })
    const visit = (host: string, ip: string, path = PATH) =>
      request(`//${host}${path}`, { headers: { 'cf-connecting-ip': ip } })
    return { visit, countTrips }
  }

  it('are not looked up beyond the limit of the block; other blocks and listed hosts do not notice', async () => {
    const { visit, countTrips } = open()
    for (let n = 0; n < 2 * CALL_LIMITS.host; n++) await visit(`made-up-${n}.example`, `198.51.103.${n}`)
    expect(countTrips()).toBe(CALL_LIMITS.host)
    const refused = await visit('another.example', '198.51.103.1')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(CALL_LIMIT.retryAfterS)])
    expect(await refused.json()).toMatchObject(BUSY)
    expect((await visit('localhost', '198.51.103.1')).status).toBe(200)
    expect((await visit('another.example', '198.51.104.1')).status).toBe(200)
  })

  it('that were looked up before are served by what is known of them', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const { visit, countTrips } = open()
    await visit('console.example', '198.51.103.1')
    for (let n = 0; n < CALL_LIMITS.host; n++) await visit(`made-up-${n}.example`, '198.51.103.2')
    vi.setSystemTime(Date.now() + KNOWN_MS)
    const before = countTrips()
    expect((await visit('console.example', '198.51.103.3')).status).toBe(200)
    expect(countTrips()).toBe(before)
    await visit('console.example', '198.51.104.1')
    expect(countTrips()).toBe(before + 1)
  })

  it('matter to no device', async () => {
    const { visit, countTrips } = open()
    expect((await visit('devices.example', '198.51.103.1', '/device/v1/connect')).status).toBe(403)
    expect(countTrips()).toBe(0)
  })
})

describe('account 7 · login/refresh behind a busy address', () => {
  it('refreshes: calls of one session are no other session’s', async () => {
    const ip = nextAddress()
    const { call } = createTestWorker({ env: countingLimits().env })
    const [first, second] = [await createMainAccount(), await createMainAccount()]
    const cookie = readCookie(await signIn(first.username))
    const refresh = (of: string) => call(loginApi.refresh, {}, { cookie: of, ip })
    for (let n = 0; n < CALL_LIMITS.session; n++) expect(await refresh(cookie)).toMatchObject({ code: 200 })
    const refused = await refresh(cookie)
    expect(refused).toMatchObject({ status: 429, trips: 0, ...BUSY })
    expect(refused.headers.get('set-cookie')).toBeNull()
    expect(await refresh(readCookie(await signIn(second.username)))).toMatchObject({ code: 200 })
  })

  it('is refused without the database, and signs nobody out, once all sessions of a block are beyond its limit', async () => {
    const { env: limits, endPeriod } = countingLimits()
    const { call } = createTestWorker({ env: limits })
    const cookie = readCookie(await signIn((await createMainAccount()).username))
    const refresh = (n: number) => call(loginApi.refresh, {}, { cookie, ip: `198.51.102.${n % 250}` })
    for (let n = 0; n < CALL_LIMITS.refresh; n++) await limits.LIMIT_REFRESH?.limit({ key: 'refresh:198.51.102.0/24' })
    const refused = await refresh(1)
    expect(refused).toMatchObject({ status: 429, trips: 0, ...BUSY })
    expect(refused.headers.get('set-cookie')).toBeNull()
    endPeriod()
    expect(await refresh(2)).toMatchObject({ code: 200 })
  })

  it('has nothing in common with made-up tokens, which are refused without the database', async () => {
    const { call } = createTestWorker({ env: countingLimits().env })
    const cookie = 'netloom_refresh=a.b.c.d'
    for (let n = 0; n <= CALL_LIMITS.session; n++)
      expect(await call(loginApi.refresh, {}, { cookie })).toMatchObject({ ...refusal('TOKEN_BAD'), trips: 0 })
    expect(await call(clientApi.refresh, { refresh_token: 'a.b.c.d' })).toMatchObject({
      ...refusal('TOKEN_BAD'),
      trips: 0,
    })
  })
})
