import { afterEach, describe, expect, it, beforeEach, vi } from 'vitest'
import { clientApi } from '#contract/client/index.ts'
import { SMS_COUNTRY } from '#contract/kernel/limits.ts'
import { opsApi } from '#contract/ops/index.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { codes } from '#db/schema/accounts.ts'
import { smsCountries } from '#db/schema/service.ts'
import { solvedChallenge } from '#tests/support/clients.ts'
import { createMainAccount } from '#tests/support/fixtures.ts'
import { createCaptcha, lastCode, nextAddress } from '#tests/support/identity.ts'
import { call, db, refusal } from '#tests/support/test-worker.ts'

afterEach(async () => {
  await db.delete(smsCountries)
})

let last = 0
const british = () => `+44 7700${String(900_000 + last++)}`
const hongkong = () => `+852 6${String(1_000_000 + last++)}`

async function register(to: string) {
  const { uniqid, code } = await createCaptcha('register')
  const input = { send_type: 'phone', send_value: to, img_code: code, uniqid } as const
  return call(verifyApi.register, input, { ip: nextAddress() })
}
/** Asks for the code of a recovery, of an account with this phone. */
async function recover(to: string) {
  const [areaCode = '', phone = ''] = to.slice(1).split(' ')
  const { username } = await createMainAccount({ areaCode, phone })
  const { uniqid, code } = await createCaptcha('find_password')
  const { data } = await call(verifyApi.findPassword, { username, img_code: code, uniqid }, { ip: nextAddress() })
  return call(verifyApi.findPasswordCode, { uniqid: data.uniqid, send_type: 'phone' }, { ip: nextAddress() })
}
const sentToday = async (dialCode: string) =>
  (await call(opsApi.smsCountries, {})).data.find(({ dial_code }) => dial_code === dialCode)?.sent_today

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })) // no day ends within a test

describe('account 5 · SMS by country, against toll fraud', () => {
  it('a country that the operator has not opened is refused in words, and no code counts', async () => {
    const rows = await db.$count(codes)
    expect(await register(british())).toMatchObject({ status: 200, ...refusal('SMS_COUNTRY_CLOSED') })
    expect(await db.$count(codes)).toBe(rows)
    await call(opsApi.smsCountry, { dial_code: '44', allowed: 1 })
    const to = british()
    expect(await register(to)).toMatchObject({ code: 200 })
    expect(await lastCode(to)).toMatch(/^\d{6}$/)
    await call(opsApi.smsCountry, { dial_code: '44', allowed: 0 })
    expect(await register(british())).toMatchObject(refusal('SMS_COUNTRY_CLOSED'))
  })

  it.each(SMS_COUNTRY.open)('+%s is open from the start', async (dialCode) => {
    const { data } = await call(opsApi.smsCountries, {})
    expect(data.find(({ dial_code }) => dial_code === dialCode)).toMatchObject({ allowed: 1, sent_today: 0 })
  })

  it('the day of a country ends with its ceiling, and another country’s goes on', async () => {
    await call(opsApi.smsCountry, { dial_code: '852', daily_max: 2 })
    for (const code of [200, 200, 429]) expect((await register(hongkong())).code).toBe(code)
    expect(await register(hongkong())).toMatchObject(refusal('SMS_COUNTRY_FULL'))
    expect(await sentToday('852')).toBe(2)
    expect(await register('+853 66123456')).toMatchObject({ code: 200 })
    await call(opsApi.smsCountry, { dial_code: '852', daily_max: 3 })
    expect(await register(hongkong())).toMatchObject({ code: 200 })
  })

  it('of twenty at once no more than the ceiling are sent', async () => {
    await call(opsApi.smsCountry, { dial_code: '852', daily_max: 5 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => register(hongkong())))
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(5)
    expect(await sentToday('852')).toBe(5)
  })

  it('a new day of Asia/Shanghai begins at nothing', async () => {
    await call(opsApi.smsCountry, { dial_code: '852', daily_max: 1 })
    await register(hongkong())
    await db.update(smsCountries).set({ day: 1 })
    expect(await sentToday('852')).toBe(0)
    expect(await register(hongkong())).toMatchObject({ code: 200 })
    expect(await sentToday('852')).toBe(1)
  })

  it('a recovery is answered the same where the country is closed: only nothing is sent', async () => {
    const phone = british()
    expect(await recover(phone)).toMatchObject({ code: 200, trips: 2 })
    expect(await lastCode(phone)).toBeUndefined()
  })

  it('a full day of registrations delivers recoveries all the same, up to a ceiling of their own', async () => {
    await call(opsApi.smsCountry, { dial_code: '852', daily_max: 1 })
    await register(hongkong())
    expect(await register(hongkong())).toMatchObject(refusal('SMS_COUNTRY_FULL'))
    const [first, second] = [hongkong(), hongkong()]
    for (const phone of [first, second]) expect(await recover(phone)).toMatchObject({ code: 200 })
    expect(await lastCode(first)).toMatch(/^\d{6}$/)
    expect(await lastCode(second)).toBeUndefined()
    expect(await sentToday('852')).toBe(1)
  })

  it('a delivery to a name moves no count that a stranger sees', async () => {
    await call(opsApi.smsCountry, { dial_code: '852', daily_max: 1 })
    const phone = hongkong()
    expect(await recover(phone)).toMatchObject({ code: 200 })
    expect(await lastCode(phone)).toMatch(/^\d{6}$/)
    expect((await call(opsApi.smsCountries, {})).data).toContainEqual({
      dial_code: '852',
      allowed: 1,
      daily_max: 1,
      sent_today: 0,
      sent_by_name_today: 1,
    })
    expect((await register(hongkong())).code).toBe(200)
  })

  it('a software member’s sign-in is refused whether or not somebody has the phone', async () => {
    const input = { area_code: '44', phone: british().slice(4), ...(await solvedChallenge()) }
    expect(await call(clientApi.phone, input, { ip: nextAddress() })).toMatchObject(refusal('SMS_COUNTRY_CLOSED'))
  })

  it('the operator names a dial code of the list, and something to change', async () => {
    expect(await call(opsApi.smsCountry, { dial_code: '999', allowed: 1 })).toMatchObject({
      code: 422,
      data: { field: 'dial_code' },
    })
    expect(await call(opsApi.smsCountry, { dial_code: '44' })).toMatchObject({ code: 422 })
    expect((await call(opsApi.smsCountry, { dial_code: '44', daily_max: 9 })).data).toEqual({
      dial_code: '44',
      allowed: 0,
      daily_max: 9,
      sent_today: 0,
      sent_by_name_today: 0,
    })
  })
})
