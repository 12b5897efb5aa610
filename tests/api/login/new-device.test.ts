import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { loginApi } from '#contract/login/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { signInOrigins } from '#db/schema/accounts.ts'
import { createMainAccount, createSubAccount, unique } from '#tests/support/fixtures.ts'
import { lastText, selectMessages } from '#tests/support/own-contact.ts'
import { signIn } from '#tests/support/identity.ts'
import { call, db, hubCalls } from '#tests/support/test-worker.ts'

const agent = (text: string) => ({ headers: { 'user-agent': text } })
const CHROME = agent('Mozilla/5.0 (Windows NT 10.0) Chrome/126.0 Safari/537.36')
const NEWER = agent('Mozilla/5.0 (Windows NT 10.0) Chrome/131.0 Safari/537.36')
const IPHONE = agent('Mozilla/5.0 (iPhone; CPU iPhone OS 17_5) Version/17.5 Mobile/15E148 Safari/604.1')
let last = 0
/** An address of a region that no other test has. */
const createRegion = () => `100.${64 + (++last % 60)}`

const createPerson = async () => {
  const email = `${unique('m')}@example.com`
  return { main: await createMainAccount({ email }), email, region: createRegion() }
}

describe('account 4 · a sign-in from a new device or place', () => {
  it('is announced by site message and mail; the first one and those from known ones are not', async () => {
    const { main, email, region } = await createPerson()
    expect((await signIn(main.username, {}, { ip: `${region}.0.1`, ...CHROME })).code).toBe(200)
    expect((await signIn(main.username, {}, { ip: `${region}.9.7`, ...NEWER })).code).toBe(200)
    expect(await selectMessages(main.accountId)).toEqual([])

    const before = hubCalls.length
    const answer = await signIn(main.username, {}, { ip: `${region}.0.1`, ...IPHONE })
    expect(answer).toMatchObject({ code: 200, trips: 2 })
    const [message] = await selectMessages(main.accountId)
    expect(message).toMatchObject({ type: '安全', title: '账号在新的设备登录', person: `main:${main.accountId}` })
    expect(message!.content).toContain(`来自 ${region}.0.1，设备 iPhone · Safari 17`)
    expect(await lastText(email)).toContain(message!.content)
    expect(hubCalls.slice(before).filter(({ method }) => method === 'refresh')).toHaveLength(1)

    await signIn(main.username, {}, { ip: `${region}.0.1`, ...IPHONE })
    expect(await selectMessages(main.accountId)).toHaveLength(1)
    await signIn(main.username, {}, { ip: `${createRegion()}.0.1`, ...IPHONE })
    expect((await selectMessages(main.accountId))[1]).toMatchObject({ title: '账号在新的地点登录' })
  })

  it('of a sub-account is its own message, and a mail to the account holder', async () => {
    const { main, email, region } = await createPerson()
    const sub = await createSubAccount(main)
    await signIn(sub.username, {}, { kind: 'ram', ip: `${region}.0.1`, ...CHROME })
    await signIn(sub.username, {}, { kind: 'ram', ip: `${createRegion()}.0.1`, ...IPHONE })
    const messages = await selectMessages(main.accountId)
    expect(messages).toMatchObject([{ title: '账号在新的设备和地点登录', person: `ram:${sub.ramId}` }])
    expect(messages[0]!.content).toContain(`账号 ${sub.username} 在`)
    expect(await lastText(email)).toContain(messages[0]!.content)
  })

  it('knows the places of a person, not those of another', async () => {
    const [first, second] = [await createPerson(), await createPerson()]
    await signIn(first.main.username, {}, { ip: `${first.region}.0.1`, ...CHROME })
    await signIn(second.main.username, {}, { ip: `${second.region}.0.1`, ...CHROME })
    await signIn(first.main.username, {}, { ip: `${second.region}.0.1`, ...CHROME })
    expect(await selectMessages(first.main.accountId)).toHaveLength(1)
    expect(await selectMessages(second.main.accountId)).toEqual([])
    const rows = await db.select().from(signInOrigins).where(eq(signInOrigins.accountId, first.main.accountId))
    expect(rows.map(({ kind, value }) => `${kind} ${value}`).toSorted()).toEqual(
      ['device Windows · Chrome', `place ${first.region}.0.0/16`, `place ${second.region}.0.0/16`].toSorted(),
    )
  })

  it('by a token link is announced, too; a wrong password is not', async () => {
    const { main, region } = await createPerson()
    await signIn(main.username, {}, { ip: `${region}.0.1`, ...CHROME })
    await signIn(main.username, { password: 'Wrong2026' }, { ip: `${createRegion()}.0.1`, ...IPHONE })
    expect(await selectMessages(main.accountId)).toEqual([])
    const { url } = (await call(opsApi.tokenLink, { account: main.username })).data
    const token = new URL(url).searchParams.get('token') ?? ''
    const answer = await call(loginApi.authorization, { token }, { ip: `${createRegion()}.0.1`, ...IPHONE })
    expect(answer).toMatchObject({ code: 200, trips: 2 })
    expect(await selectMessages(main.accountId)).toHaveLength(1)
  })
})
