import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { clientApi } from '#contract/client/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { routers } from '#db/schema/routers.ts'
import { createClients, loginRecords, readProfile, solvedChallenge } from '#tests/support/clients.ts'
import { lastCode, nextAddress } from '#tests/support/identity.ts'
import { createNumber } from '#tests/support/strangers.ts'
import { verifyApi } from '#contract/verify/index.ts'
import { call, db, refusal } from '#tests/support/test-worker.ts'
import { solveWork } from '#tests/support/work.ts'

async function sendCode(phone: string) {
  const reply = await call(clientApi.phone, { phone, ...(await solvedChallenge()) }, { ip: nextAddress() })
  expect(reply).toMatchObject({ code: 200, msg: '发送成功' })
  return { uniqid: reply.data.uniqid, code: await lastCode(`+86 ${phone}`) }
}
const other = (code: string) => (code === '000000' ? '000001' : '000000')

describe('account 1 · client/phone, client/phone_login', () => {
  it('the code signs the one member of the phone in, once, and leaves a record', async () => {
    const phone = createNumber()
    const [member] = await createClients(1, { phone })
    const { uniqid, code } = await sendCode(phone)
    const input = { uniqid, phone, code: code!, os: 'android' } as const
    const reply = await call(clientApi.phoneLogin, input)
    expect(reply).toMatchObject({ code: 200, trips: 2, data: { choices: [], session: { router_name: member!.name } } })
    expect((await readProfile(reply.data.session!.access_token)).code).toBe(200)
    expect(await call(clientApi.phoneLogin, input)).toMatchObject(refusal('CODE_WRONG'))
    expect(await loginRecords(member!.main.accountId)).toMatchObject([{ ok: 1, os: 'android', reason: '' }])
  })

  it('a phone of several members, of several accounts, answers whom to choose from; the code stays good', async () => {
    const phone = createNumber()
    const [a] = await createClients(1, { phone })
    const [b] = await createClients(1, { phone })
    const { uniqid, code } = await sendCode(phone)
    const input = { uniqid, phone, code: code! }
    const asked = await call(clientApi.phoneLogin, input)
    expect(asked.data.session).toBeNull()
    expect(asked.data.choices.map((choice) => choice.router_name)).toEqual([b!.name, a!.name])
    const wrong = await call(clientApi.phoneLogin, { ...input, router_name: 'nobody@unknown1' })
    expect(wrong).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    const done = await call(clientApi.phoneLogin, { ...input, router_name: a!.name.toUpperCase() })
    expect(done.data.session).toMatchObject({ router_name: a!.name })
    expect(await loginRecords(b!.main.accountId)).toEqual([])
  })

  it('five wrong tries spend this walk’s code and no other’s', async () => {
    const phone = createNumber()
    const [member] = await createClients(1, { phone })
    const { uniqid, code } = await sendCode(phone)
    const guess = { uniqid: 'stranger', phone, code: other(code!) }
    for (let i = 0; i < 6; i++) expect(await call(clientApi.phoneLogin, guess)).toMatchObject(refusal('CODE_WRONG'))
    expect(await loginRecords(member!.main.accountId)).toEqual([]) // nobody sent a code in that walk
    const own = { uniqid, phone, code: other(code!) }
    const replies = []
    for (let i = 0; i < 5; i++) replies.push((await call(clientApi.phoneLogin, own)).reason)
    expect(replies).toEqual(['CODE_WRONG', 'CODE_WRONG', 'CODE_WRONG', 'CODE_WRONG', 'CODE_SPENT'])
    expect(await call(clientApi.phoneLogin, { ...own, code: code! })).toMatchObject({ reason: 'CODE_WRONG' })
    expect((await loginRecords(member!.main.accountId)).map(({ reason }) => reason)).toEqual(
      Array(5).fill('验证码错误'),
    )
  })

  it('asks for work before a message is sent, each time anew', async () => {
    const phone = createNumber()
    await createClients(1, { phone })
    const send = (work: object) => call(clientApi.phone, { phone, ...work }, { ip: nextAddress() })
    const [work, other] = [await solvedChallenge(), (await call(verifyApi.challenge, { purpose: 'login' })).data]
    expect(await send({})).toMatchObject({ trips: 0, ...refusal('CHALLENGE_WRONG') })
    expect(await send({ ...work, nonce: 'x' })).toMatchObject(refusal('CHALLENGE_WRONG'))
    const forCaptcha = { challenge: other.challenge, nonce: solveWork(other.challenge, other.difficulty) }
    expect(await send(forCaptcha)).toMatchObject(refusal('CHALLENGE_WRONG'))
    expect(await send(work)).toMatchObject({ code: 200, trips: 2 })
    expect(await send(work)).toMatchObject(refusal('CHALLENGE_WRONG'))
  })

  it('a phone that nobody has gets no message', async () => {
    const phone = createNumber()
    expect((await sendCode(phone)).code).toBeUndefined()
  })

  it('a disabled member, and a phone that was taken away meanwhile', async () => {
    const phone = createNumber()
    const [member] = await createClients(1, { phone })
    const first = await sendCode(phone)
    await member!.main.call(routerApi.updateStatus, { router_name: member!.name, status: 0 })
    const input = { uniqid: first.uniqid, phone, code: first.code! }
    expect(await call(clientApi.phoneLogin, input)).toMatchObject(refusal('MEMBER_DISABLED'))
    await db.update(routers).set({ phone: null }).where(eq(routers.id, member!.id))
    expect((await call(clientApi.phoneLogin, input)).data).toMatchObject({ session: null, choices: [] })
  })

  it.each([
    [{ phone: '' }, '请输入手机号码'],
    [{ phone: '12800000000' }, '请输入正确的手机号码'],
    [{ area_code: '1', phone: '12' }, '请输入最低4位数的手机号码'],
    [{ area_code: 'toString', phone: '13800000000' }, '请选择国家或地区', 'area_code'],
  ])('refuses %o', async (input, msg, field = 'phone') => {
    expect(await call(clientApi.phone, input)).toMatchObject({ code: 422, msg, data: { field } })
  })
})
