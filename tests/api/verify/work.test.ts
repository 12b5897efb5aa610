import { env } from 'cloudflare:test'
import { inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { CAPTCHA_PURPOSES, verifyApi } from '#contract/verify/index.ts'
import { FAILURE_WORK, PROOF } from '#contract/verify/limits.ts'
import { attempts } from '#db/schema/accounts.ts'
import { recoveryKey, registrationKey } from '#security/one-time.ts'
import { hmac } from '#security/secrets.ts'
import { createMainAccount, unique } from '#tests/support/fixtures.ts'
import { createCaptcha, lastCode, nextAddress } from '#tests/support/identity.ts'
import { type CallOptions, call, db, refusal } from '#tests/support/test-worker.ts'
import { solveWork } from '#tests/support/work.ts'

// The work that repeated failures ask for beside the picture, where no password is typed: recovery and registration.

const workRequired = (difficulty: number = PROOF.bitsMin) => ({
  ...refusal('WORK_REQUIRED'),
  data: { field: 'img_code', difficulty },
})

let block = 0
/** A /48 of IPv6 that no other test counts against, and an address in its nth /64. */
function nextWideBlock() {
  const prefix = `2001:db8:${(0x8000 + block++).toString(16)}`
  return { prefix: `${prefix}::/48`, address: (n: number) => `${prefix}:${n.toString(16)}::1` }
}
let last = 0
const createPhone = () => `156${String(Date.now() % 10_000).padStart(4, '0')}${String(last++).padStart(4, '0')}`

/** So many failures, as if they had just happened. */
const setFailures = (key: string, count: number) =>
  db.insert(attempts).values({ key, count, windowEnd: Date.now() + 600_000 })

async function countsOf(...keys: readonly string[]): Promise<number[]> {
  const rows = await db
    .select()
    .from(attempts)
    .where(inArray(attempts.key, [...keys]))
  return keys.map((key) => rows.find((row) => row.key === key)?.count ?? 0)
}

interface Captcha {
  readonly uniqid: string
  readonly code: string
}

/** The call of each form that spends a captcha, and the counter of whom it names. */
const FORMS = {
  recovery: {
    purpose: 'find_password',
    createName: async () => createPhone(),
    keyOf: async (phone: string) => recoveryKey(await hmac(env.HMAC_SECRET, `recovery:+86 ${phone}`)),
    spend: (username: string, { uniqid, code: img_code }: Captcha, at: CallOptions, nonce?: string) =>
      call(verifyApi.findPassword, { username, img_code, uniqid, ...(nonce !== undefined && { nonce }) }, at),
  },
  registration: {
    purpose: 'register',
    createName: async () => createPhone(),
    keyOf: (phone: string) => registrationKey(env.HMAC_SECRET, `+86 ${phone}`),
    spend: (phone: string, { uniqid, code: img_code }: Captcha, at: CallOptions, nonce?: string) => {
      const input = { send_type: 'phone', send_value: `+86 ${phone}`, img_code, uniqid } as const
      return call(verifyApi.register, { ...input, ...(nonce !== undefined && { nonce }) }, at)
    },
  },
} as const

describe.each(Object.entries(FORMS))('account 7 · proof of work in %s', (_, { purpose, createName, keyOf, spend }) => {
  const consumeNew = async (name: string, at: CallOptions) => spend(name, await createCaptcha(purpose), at)
  /** Does the work that is asked, with the same captcha. */
  async function consumeWithWork(name: string, at: CallOptions, bits: number = PROOF.bitsMin) {
    const captcha = await createCaptcha(purpose)
    const asked = await spend(name, captcha, at)
    return { asked, done: await spend(name, captcha, at, solveWork(captcha.uniqid, bits)) }
  }

  it('a wrong captcha counts for the address and its /48, never for whom it names; a right one for nobody', async () => {
    const name = await createName()
    const { prefix, address } = nextWideBlock()
    const [ip, key] = [address(1), await keyOf(name)]
    const captcha = await createCaptcha(purpose)
    expect(await spend(name, { ...captcha, code: '0000' }, { ip })).toMatchObject(refusal('IMG_CODE_WRONG'))
    expect((await consumeNew(name, { ip })).code).toBe(200)
    expect(await countsOf(`failures:${prefix.replace('::/48', ':1::/64')}`, `failures:${prefix}`, key)).toEqual([
      1, 1, 0,
    ])
  })

  it('is asked after failures of the address, and passes with it', async () => {
    const [name, ip] = [await createName(), nextAddress()]
    await setFailures(`failures:${ip}`, FAILURE_WORK.perAddress - 1)
    const wrong = { ...(await createCaptcha(purpose)), code: '0000' }
    expect(await spend(name, wrong, { ip })).toMatchObject(refusal('IMG_CODE_WRONG'))
    const { asked, done } = await consumeWithWork(name, { ip })
    expect(asked).toMatchObject({ ...workRequired(), trips: 2 })
    expect(done).toMatchObject({ code: 200, trips: 1 })
    expect(await countsOf(`failures:${ip}`)).toEqual([FAILURE_WORK.perAddress])
  })

  it('is asked of a whole /48, and of no other', async () => {
    const name = await createName()
    const { prefix, address } = nextWideBlock()
    await setFailures(`failures:${prefix}`, FAILURE_WORK.perWideBlock)
    expect(await consumeNew(name, { ip: address(2) })).toMatchObject(workRequired())
    expect(await consumeNew(name, { ip: nextWideBlock().address(2) })).toMatchObject({ code: 200 })
  })

  it('is asked where strangers have failed at the same name from anywhere, and lets its owner through', async () => {
    const name = await createName()
    await setFailures(await keyOf(name), FAILURE_WORK.perAccount)
    const { asked, done } = await consumeWithWork(name, { ip: nextAddress() })
    expect(asked).toMatchObject(workRequired())
    expect(done).toMatchObject({ code: 200 })
    expect(await consumeNew(await createName(), { ip: nextAddress() })).toMatchObject({ code: 200 })
  })

  it.each([
    [FAILURE_WORK.perAccount * 2, 19],
    [FAILURE_WORK.perAccount * 16, 22],
    [FAILURE_WORK.perAccount * 1_000, 22],
  ])('after %i failures at a name takes %i bits, and less is refused', async (failures, bits) => {
    const name = await createName()
    await setFailures(await keyOf(name), failures)
    const captcha = await createCaptcha(purpose)
    expect(await spend(name, captcha, { ip: nextAddress() }, 'lazy')).toMatchObject(workRequired(bits))
  })

  it('counts for its captcha only, which is then spent', async () => {
    const [name, ip] = [await createName(), nextAddress()]
    await setFailures(`failures:${ip}`, FAILURE_WORK.perAddress)
    const [first, second] = [await createCaptcha(purpose), await createCaptcha(purpose)]
    const nonce = solveWork(first.uniqid, PROOF.bitsMin)
    expect(await spend(name, second, { ip }, nonce)).toMatchObject(workRequired())
    expect(await spend(name, first, { ip }, nonce)).toMatchObject({ code: 200 })
    expect(await spend(name, first, { ip }, nonce)).toMatchObject(refusal('IMG_CODE_WRONG'))
  })
})

describe('design 6 · failures behind the captcha', () => {
  it('a wrong code of a recovery counts for the address and the name, a right one for nobody', async () => {
    const phone = createPhone()
    await createMainAccount({ phone })
    const [ip, key] = [nextAddress(), await FORMS.recovery.keyOf(phone)]
    const { uniqid } = (await FORMS.recovery.spend(phone, await createCaptcha('find_password'), { ip })).data!
    await call(verifyApi.findPasswordCode, { uniqid, send_type: 'phone' }, { ip })
    const right = (await lastCode(`+86 ${phone}`))!
    const prove = (code: string) => call(verifyApi.authentication, { uniqid, send_type: 'phone', code }, { ip })
    expect(await prove(right === '000000' ? '111111' : '000000')).toMatchObject({ ...refusal('CODE_WRONG'), trips: 2 })
    expect(await countsOf(`failures:${ip}`, key)).toEqual([1, 1])
    expect(await prove(right)).toMatchObject({ code: 200, trips: 2 })
    expect(await countsOf(`failures:${ip}`, key)).toEqual([1, 1])
  })

  it('a wrong code of a registration counts for the address and the target, a right one for nobody', async () => {
    const phone = createPhone()
    const [ip, key] = [nextAddress(), await FORMS.registration.keyOf(phone)]
    const captcha = await createCaptcha('register')
    await FORMS.registration.spend(phone, captcha, { ip })
    const right = (await lastCode(`+86 ${phone}`))!
    const register = (code: string) => {
      const [username, password] = [unique(), 'Weilai26']
      const names = { nickname: '测试', username, password, newPassword: password }
      const proof = { code, uniqid: captcha.uniqid }
      return call(accountApi.register, { ...names, ...proof, type: 'phone', verify: `+86 ${phone}` }, { ip })
    }
    const wrong = right === '000000' ? '111111' : '000000'
    expect(await register(wrong)).toMatchObject({ ...refusal('CODE_WRONG'), trips: 1 })
    expect(await countsOf(`failures:${ip}`, key)).toEqual([1, 1])
    expect(await register(right)).toMatchObject({ code: 200, trips: 2 })
    expect(await countsOf(`failures:${ip}`, key)).toEqual([1, 1])
  })

  it('the failures of an address at any form ask for work at each, and its captchas say so', async () => {
    const ip = nextAddress()
    await setFailures(`failures:${ip}`, FAILURE_WORK.perAddress)
    for (const purpose of CAPTCHA_PURPOSES)
      expect((await call(verifyApi.code, { purpose }, { ip })).data.difficulty).toBe(PROOF.bitsMin)
  })

  it('writes down no name and no phone', async () => {
    const phone = createPhone()
    const ip = nextAddress()
    const { uniqid } = (await FORMS.recovery.spend(phone, await createCaptcha('find_password'), { ip })).data!
    await call(verifyApi.authentication, { uniqid, send_type: 'phone', code: '000000' }, { ip })
    const keys = (await db.select({ key: attempts.key }).from(attempts)).map(({ key }) => key)
    expect(keys).toContain(await FORMS.recovery.keyOf(phone))
    expect(keys.filter((key) => key.includes(phone))).toEqual([])
  })
})
