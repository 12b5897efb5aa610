import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accountApi } from '../../../worker/contract/account.ts'
import { verifyApi } from '../../../worker/contract/verify.ts'
import { outbox, recoveries } from '../../../worker/db/schema/accounts.ts'
import { createOutside } from '../../../worker/outside/adapters.ts'
import { createCaptcha, nextAddress, selectAudit, lastCode, signIn } from '../../support/identity.ts'
import { PASSWORD, createMainAccount, createSubAccount, unique } from '../../support/fixtures.ts'
import { createTestWorker, call, db, hubCalls, refusal } from '../../support/test-worker.ts'

let last = 0
async function createPerson() {
  const phone = `177${String(Date.now() % 10_000).padStart(4, '0')}${String(last++).padStart(4, '0')}`
  const main = await createMainAccount({ phone, email: `${unique('mail')}@example.com` })
  return { ...main, phone, to: `+86 ${phone}` }
}

async function find(username: string) {
  const { uniqid, code } = await createCaptcha('find_password')
  return call(verifyApi.findPassword, { username, img_code: code, uniqid }, { ip: nextAddress() })
}
const send = (uniqid: string, send_type: 'phone' | 'email' = 'phone') =>
  call(verifyApi.findPasswordCode, { uniqid, send_type }, { ip: nextAddress() })
const prove = (uniqid: string, code: string, send_type: 'phone' | 'email' = 'phone') =>
  call(verifyApi.authentication, { uniqid, send_type, code })
const reset = (uniqid: string, password = 'Changed26') =>
  call(verifyApi.resetPassword, { uniqid, password, reset_password: password })

describe('account 2 · password recovery', () => {
  it('is replaced in three steps, by phone or by e-mail, and everybody is signed out', async () => {
    for (const kind of ['phone', 'email'] as const) {
      const { username, accountId, hub, call: ask, to } = await createPerson()
      const sub = await createSubAccount({ accountId, hub })
      const { data, trips } = await find(username)
      expect(data).toMatchObject({ phone: expect.stringMatching(/^\+86 177\*{4}\d{4}$/), email: 'm***@e***.com' })
      const counted = [trips, (await send(data.uniqid, kind)).trips]
      const target = kind === 'phone' ? to : (await selectEmail(accountId))!
      counted.push((await prove(data.uniqid, (await lastCode(target))!, kind)).trips)
      const done = await reset(data.uniqid)
      expect(done).toMatchObject({ code: 200, msg: '修改成功' })
      expect([...counted, done.trips]).toEqual([1, 2, 2, 2])
      expect((await ask(accountApi.service, {})).code).toBe(2002)
      expect((await sub.call(accountApi.service, {})).code).toBe(200)
      expect(hubCalls.filter((call) => call.hub === hub && call.method === 'refresh')).toHaveLength(1)
      expect(await signIn(username)).toMatchObject(refusal('LOGIN_FAILED'))
      expect(await signIn(username, { password: 'Changed26' })).toMatchObject({ code: 200 })
      expect((await selectAudit(accountId)).some(({ action }) => action === 'reset_password')).toBe(true)
      expect(await reset(data.uniqid, 'Again2026')).toMatchObject(refusal('RECOVERY_STEP'))
    }
  })

  it('refuses the old password, a common one and the own name, and takes another then', async () => {
    const { username, to } = await createPerson()
    const { data } = await find(username)
    await send(data.uniqid)
    await prove(data.uniqid, (await lastCode(to))!)
    for (const [password, key] of [
      [PASSWORD, 'PASSWORD_UNCHANGED'],
      ['88888888', 'PASSWORD_COMMON'],
      [username, 'PASSWORD_PERSONAL'],
    ] as const)
      expect(await reset(data.uniqid, password)).toMatchObject({ ...refusal(key), data: { field: 'password' } })
    expect(await reset(data.uniqid)).toMatchObject({ code: 200 })
  })

  it('enforces the order of the steps', async () => {
    const { username, to } = await createPerson()
    const { data } = await find(username)
    expect(await reset(data.uniqid)).toMatchObject(refusal('RECOVERY_STEP'))
    expect(await prove(data.uniqid, '123456')).toMatchObject(refusal('CODE_WRONG'))
    expect(await reset(data.uniqid)).toMatchObject(refusal('RECOVERY_STEP'))
    await send(data.uniqid)
    const code = (await lastCode(to))!
    expect(await prove(data.uniqid, code, 'email')).toMatchObject(refusal('CODE_WRONG'))
    expect(await prove(data.uniqid, code)).toMatchObject({ code: 200 })
    expect(await prove(data.uniqid, code)).toMatchObject(refusal('RECOVERY_STEP'))
    expect(await send(data.uniqid)).toMatchObject(refusal('RECOVERY_STEP'))
  })

  it('cannot be started for one account and finished for another', async () => {
    const [mine, theirs] = [await createPerson(), await createPerson()]
    const [a, b] = [(await find(mine.username)).data.uniqid, (await find(theirs.username)).data.uniqid]
    await send(a)
    expect(await prove(b, (await lastCode(mine.to))!)).toMatchObject(refusal('CODE_WRONG'))
    expect(await reset(b)).toMatchObject(refusal('RECOVERY_STEP'))
  })

  it('expires, and is refused for an unknown id', async () => {
    const { username } = await createPerson()
    const { data } = await find(username)
    await db
      .update(recoveries)
      .set({ expiresAt: Date.now() - 1 })
      .where(eq(recoveries.uniqid, data.uniqid))
    for (const uniqid of [data.uniqid, 'made-up']) {
      expect(await send(uniqid)).toMatchObject(refusal('RECOVERY_STEP'))
      expect(await prove(uniqid, '123456')).toMatchObject(refusal('RECOVERY_STEP'))
      expect(await reset(uniqid)).toMatchObject(refusal('RECOVERY_STEP'))
    }
  })

  it('sets one password when two resets race', async () => {
    const { username, to } = await createPerson()
    const { data } = await find(username)
    await send(data.uniqid)
    await prove(data.uniqid, (await lastCode(to))!)
    const answers = await Promise.all([reset(data.uniqid, 'First2026'), reset(data.uniqid, 'Second26')])
    expect(answers.map(({ code }) => code).toSorted()).toEqual([200, refusal('RECOVERY_STEP').code])
  })

  it('takes the captcha, and only one of its purpose', async () => {
    const { username } = await createPerson()
    const captcha = await createCaptcha('login')
    const input = { username, img_code: captcha.code, uniqid: captcha.uniqid }
    expect(await call(verifyApi.findPassword, input)).toMatchObject(refusal('IMG_CODE_WRONG'))
    expect(await db.select().from(recoveries).where(eq(recoveries.uniqid, captcha.uniqid))).toEqual([])
  })

  const selectEmail = async (accountId: number) => {
    const [row] = await db.all<[string]>(sql`select email from accounts where id = ${accountId}`)
    return row?.[0]
  }
})

describe('account 2 · password recovery of an unknown name', () => {
  const shape = ({ code, msg, trips, status }: Awaited<ReturnType<typeof send>>) => ({ code, msg, trips, status })

  it('is answered exactly like an existing one', async () => {
    const { username } = await createPerson()
    const [known, unknown] = [await find(username), await find(unique('nobody'))]
    expect(shape(unknown as never)).toEqual(shape(known as never))
    expect(unknown.data.uniqid).toHaveLength(known.data.uniqid.length)
    expect(unknown.data.phone + unknown.data.email).toMatch(/^(\+86 1\d\d\*{4}\d{4})?([a-z]\*{3}@[a-z0-9]\*{3}\.com)?$/)
    const [a, b] = [known.data.uniqid, unknown.data.uniqid]
    const kinds = [() => send(a), () => send(b)]
    for (const step of [
      kinds,
      kinds,
      [() => prove(a, '000000'), () => prove(b, '000000')],
      [() => reset(a), () => reset(b)],
    ]) {
      const [one, other] = [await step[0]!(), await step[1]!()]
      expect(shape(other as never)).toEqual(shape(one as never))
    }
  })

  it('is held to the same wait however often it begins again', async () => {
    const name = unique('nobody')
    expect((await send((await find(name)).data.uniqid)).code).toBe(200)
    expect((await send((await find(name)).data.uniqid)).code).toBe(429)
  })

  it('gets the same contacts each time, and others than another name', async () => {
    const names = Array.from({ length: 6 }, () => unique('nobody'))
    const contacts = []
    for (const name of names) {
      const [first, again] = [await find(name), await find(name.toUpperCase())]
      const { uniqid: _, ...contact } = first.data
      expect(again.data).toMatchObject(contact)
      expect(contact.phone + contact.email).not.toBe('')
      contacts.push(JSON.stringify(contact))
    }
    expect(new Set(contacts).size).toBe(names.length)
  })

  it('sends nothing anywhere', async () => {
    const { data } = await find(unique('nobody'))
    await send(data.uniqid)
    expect(await db.select().from(outbox).where(eq(outbox.uniqid, data.uniqid))).toEqual([])
  })

  it('is answered the same when the provider is down', async () => {
    const down = createTestWorker({
      outside: (env) => ({ ...createOutside(env), sms: { sendCode: () => Promise.reject(new Error('down')) } }),
    })
    const { username } = await createPerson()
    for (const name of [username, unique('nobody')]) {
      const { uniqid } = (await find(name)).data
      const again = () => down.call(verifyApi.findPasswordCode, { uniqid, send_type: 'phone' })
      expect(await again()).toMatchObject({ code: 200, trips: 2 })
      expect(await again()).toMatchObject({ code: 429, trips: 2 })
    }
  })
})
