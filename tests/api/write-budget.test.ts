import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { PERSON_WRITE_BUDGET, WRITE_BUDGET } from '#contract/kernel/limits.ts'
import { loginApi } from '#contract/login/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { IMPACT_RATE, RESEND_RATE } from '#contract/network/limits.ts'
import { routerApi } from '#contract/router/index.ts'
import { ROUTER_RATE } from '#contract/router/limits.ts'
import { attempts } from '#db/schema/accounts.ts'
import { type Caller, createFleet, createNetwork, createSession, createSubAccount } from '#tests/support/fixtures.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import { createTestWorker, db, refusal } from '#tests/support/test-worker.ts'

const at = (now: number) => vi.useFakeTimers({ toFake: ['Date'], now })

/** Uses up a session's budget but for this many writes. */
async function consumeBudget({ session }: Caller, left: number): Promise<void> {
  const row = { count: WRITE_BUDGET.limit - left, windowEnd: Date.now() + WRITE_BUDGET.windowMs }
  const key = `writes:${session.id}`
  await db.insert(attempts).values({ key, ...row })
}

describe('design 4 · a session’s write budget', () => {
  it('refuses the write beyond it with the seconds left, without another round trip and without a change', async () => {
    const { main, routers } = await createFleet()
    const [router] = routers
    const start = Date.now()
    at(start)
    await consumeBudget(main, 1)
    const note = (text: string) => main.call(routerApi.note, { router_name: router!.name, note: text })
    expect(await note('一')).toMatchObject({ code: 200, trips: 2 })
    at(start + 20_000)
    const refused = await note('二')
    expect(refused).toMatchObject({ status: 429, trips: 1, ...refusal('TOO_OFTEN', { retry_after: 40 }) })
    expect(refused.data).toEqual({ retry_after: 40 })
    expect((await main.call(routerApi.info, { router_name: router!.name })).data.note).toBe('一')
    at(start + WRITE_BUDGET.windowMs)
    expect(await note('三')).toMatchObject({ code: 200 })
  })

  it('of one session is no other’s, and not for reads, tickets and the end of the session', async () => {
    const { main, routers } = await createFleet()
    const [router] = routers
    const second = await createSession({ ...main.session })
    const sub = await createSubAccount(main, { flags: ['router:edit'] })
    await consumeBudget(sub, 0)
    await consumeBudget(main, 0)
    const input = { router_name: router!.name, note: 'x' }
    for (const caller of [sub, main])
      expect(await caller.call(routerApi.note, input)).toMatchObject({ code: 429, reason: 'TOO_OFTEN' })
    expect(await second.call(routerApi.note, input)).toMatchObject({ code: 200 })
    expect(await main.call(networkApi.lists, {})).toMatchObject({ code: 200, trips: 1 })
    expect(await main.call(routerApi.trafficTicket, { kind: 'account' })).toMatchObject({ code: 200, trips: 1 })
    expect(await main.call(loginApi.logout, {})).toMatchObject({ code: 200 })
  })

  it('counts writes in parallel exactly', async () => {
    const { main, routers } = await createFleet()
    await consumeBudget(main, 3)
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) => main.call(routerApi.note, { router_name: routers[0]!.name, note: `${i}` })),
    )
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(3)
    const [row] = await db
      .select()
      .from(attempts)
      .where(eq(attempts.key, `writes:${main.session.id}`))
    expect(row?.count).toBe(WRITE_BUDGET.limit)
  })
})

describe('design 4 · a person’s write budget', () => {
  it('is shared by all sessions of the person; the main account and a colleague are free', async () => {
    const start = Date.now()
    at(start)
    const { main, routers } = await createFleet()
    const input = { router_name: routers[0]!.name, note: 'x' }
    const flags = ['router:edit'] as const
    const [sub, colleague] = [await createSubAccount(main, { flags }), await createSubAccount(main, { flags })]
    const sessions = [sub, ...(await Promise.all([1, 2, 3].map(() => createSession({ ...sub.session }))))]
    const person = `writes:person:ram:${sub.ramId}`
    const used = PERSON_WRITE_BUDGET.limit - sessions.length + 1
    await db.insert(attempts).values({ key: person, count: used, windowEnd: start + PERSON_WRITE_BUDGET.windowMs })
    const codes = []
    for (const { call } of sessions) codes.push((await call(routerApi.note, input)).code)
    expect(codes).toEqual([200, 200, 200, 429])
    expect(await sessions[3]!.call(routerApi.note, input)).toMatchObject({
      ...refusal('TOO_OFTEN', { retry_after: 60 }),
      trips: 1,
    })
    for (const { call } of [main, colleague]) expect((await call(routerApi.note, input)).code).toBe(200)
    const [row] = await db.select().from(attempts).where(eq(attempts.key, person))
    expect(row?.count).toBe(PERSON_WRITE_BUDGET.limit)
    at(start + PERSON_WRITE_BUDGET.windowMs)
    expect(await sessions[3]!.call(routerApi.note, input)).toMatchObject({ code: 200, trips: 2 })
  })
})

describe('network 7 · rate of network/impact', () => {
  it('sixty a minute and session; another session is free, and so are writes', async () => {
    const start = Date.now()
    at(start)
    const { main, routers } = await createFleet()
    const second = await createSession({ ...main.session })
    const network_number = await createNetwork(main, routers.slice(0, 2))
    const preview = (who: Pick<Caller, 'call'>) =>
      who.call(networkApi.impact, { call: 'dns', input: { network_number, dns: ['10.0.0.53'] } })
    const row = { count: IMPACT_RATE.limit - 1, windowEnd: start + IMPACT_RATE.windowMs }
    await db.insert(attempts).values({ key: `impact:${main.session.id}`, ...row })
    expect(await preview(main)).toMatchObject({ code: 200, trips: 1 })
    const refused = await preview(main)
    expect(refused).toMatchObject({ status: 429, trips: 1, ...refusal('TOO_OFTEN', { retry_after: 60 }) })
    expect(await preview(second)).toMatchObject({ code: 200 })
    expect(await main.call(networkApi.dns, { network_number, dns: ['10.0.0.53'], revision: 0 })).toMatchObject({
      code: 200,
    })
    at(start + IMPACT_RATE.windowMs)
    expect(await preview(main)).toMatchObject({ code: 200 })
  })
})

describe('design 4 · pushes and reports', () => {
  it('a network is resent once in 30 s, one member once in 5 s by either call; another tenant’s is free', async () => {
    const start = Date.now()
    at(start)
    const { main, routers } = await createFleet()
    const other = await createFleet()
    const [a, b] = routers
    const number = await createNetwork(main, [a!, b!])
    const foreign = await createNetwork(other.main, [other.routers[0]!])
    const all = (who = main, network_number = number) => who.call(networkApi.reSendConfig, { network_number })
    const one = (router_name: string) => main.call(networkApi.reSendConfig, { network_number: number, router_name })
    expect(await all()).toMatchObject({ code: 200, trips: 2 })
    at(start + 10_000)
    expect(await all()).toMatchObject({ status: 429, ...refusal('TOO_OFTEN', { retry_after: 20 }) })
    expect(await all(other.main, foreign)).toMatchObject({ code: 200 })
    expect(await one(b!.name)).toMatchObject({ code: 200 })
    expect(await main.call(routerApi.resend, { router_name: b!.name })).toMatchObject(
      refusal('TOO_OFTEN', { retry_after: 5 }),
    )
    expect(await main.call(routerApi.resend, { router_name: a!.name })).toMatchObject({ code: 200 })
    at(start + 10_000 + ROUTER_RATE.windowMs)
    expect(await one(b!.name)).toMatchObject({ code: 200 })
    at(start + RESEND_RATE.windowMs)
    expect(await all()).toMatchObject({ code: 200 })
  })

  it('a device is asked for its report once in 5 s, and another tenant cannot use that up', async () => {
    const start = Date.now()
    at(start)
    const { main, routers } = await createFleet()
    const other = await createFleet()
    const { call } = createTestWorker({ hubs: fakeHubs({ 'router.requestReport': () => true }).hubs })
    const ask = (token: string) => call(routerApi.updateStatus, { router_name: routers[0]!.name }, token)
    expect(await ask(other.main.token)).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    expect(await ask(main.token)).toMatchObject({ code: 200, trips: 1 })
    expect(await ask(main.token)).toMatchObject({ ...refusal('TOO_OFTEN', { retry_after: 5 }), trips: 1 })
    expect(await ask(other.main.token)).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    at(start + ROUTER_RATE.windowMs)
    expect(await ask(main.token)).toMatchObject({ code: 200 })
  })
})
