import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { overviewApi } from '#contract/overview/index.ts'
import { alertCommands, attentionHandlers } from '#db/schema/monitor.ts'
import { routerStates } from '#db/schema/routers.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import { createFleet, createNetwork, createRouter, createSubAccount } from '#tests/support/fixtures.ts'
import { selectAudit } from '#tests/support/identity.ts'
import { createTestWorker, db, refusal } from '#tests/support/test-worker.ts'
import { state, summaryOf } from './evaluated-worker.ts'

const { handle, info } = overviewApi

/** A centre that is away, with the account's open alerts. */
async function createAbsence(toAlerts: (name: string) => readonly object[] = () => []) {
  const { main } = await createFleet({ hardware: 0, memberQuota: 20, centers: 2 })
  const lost = await createRouter(main.accountId, { note: '总部', state: state('offline') })
  const other = await createRouter(main.accountId, { note: '灾备', state: state('online') })
  await createRouter(main.accountId, { note: '库房', state: state('online') })
  const number = await createNetwork(main, [other, lost], '全国门店')
  const fake = fakeHubs({
    'account.health': (_hub: string, question: { networks: { hub: string; members: Record<string, number> }[] }) => ({
      summaries: Object.fromEntries(question.networks.map(({ hub, members }) => [hub, summaryOf(members)])),
      transitions: [],
      unsupported: {},
      alerts: toAlerts(lost.name),
    }),
  })
  const worker = createTestWorker({ hubs: fake.hubs })
  const rowFor = async (caller: { readonly token: string }) => {
    const { rows } = (await worker.call(info, {}, caller.token)).data.attention
    return rows.find(({ target }) => target.router_name === lost.name)!
  }
  return { main, lost, number, worker, rowFor, calls: fake.calls }
}

describe('design 10 · overview/handle', () => {
  it('gives a row its handler, whom the others see with the time, in two round trips and with an audit row', async () => {
    const { main, worker, rowFor, calls } = await createAbsence()
    const sub = await createSubAccount(main, { flags: [] })
    const { id, handled } = await rowFor(main)
    expect(handled).toBeNull()
    const before = Date.now()
    expect(await worker.call(handle, { id }, sub.token)).toMatchObject({ code: 200, msg: '已登记由你处理', trips: 2 })
    const seen = (await rowFor(main)).handled
    expect(seen).toEqual({ by: sub.session.username, at: expect.any(Number) as number })
    expect(seen!.at).toBeGreaterThanOrEqual(before)
    expect((await selectAudit(main.accountId))[0]).toMatchObject({ module: 'overview', action: 'handle', target: id })
    expect(calls.some(({ hub, method }) => hub === main.hub && method === 'refresh')).toBe(true)
  })

  it('is one person at a time: a second is refused, the same one is not', async () => {
    const { main, worker, rowFor } = await createAbsence()
    const sub = await createSubAccount(main, { flags: [] })
    const { id } = await rowFor(main)
    await worker.call(handle, { id }, sub.token)
    expect(await worker.call(handle, { id }, main.token)).toMatchObject(refusal('ATTENTION_HANDLED'))
    expect((await worker.call(handle, { id }, sub.token)).code).toBe(200)
    expect(
      await db.select().from(attentionHandlers).where(eq(attentionHandlers.accountId, main.accountId)),
    ).toHaveLength(1)
  })

  it('of two at once the first stays', async () => {
    const { main, worker, rowFor } = await createAbsence()
    const sub = await createSubAccount(main, { flags: [] })
    const { id } = await rowFor(main)
    const replies = await Promise.all([sub, main].map(({ token }) => worker.call(handle, { id }, token)))
    expect(replies.map(({ code }) => code).toSorted()).toEqual([200, 422])
  })

  it('acknowledges the open alert if the role may, and only has a handler if not', async () => {
    const alert = (object: string) => ({
      id: 'a1',
      rule: 'router_offline',
      object,
      networks: [],
      ackBy: null,
      ackAt: null,
    })
    const { main, worker, rowFor } = await createAbsence((name) => [alert(name)])
    const { id } = await rowFor(main)
    expect(await worker.call(handle, { id }, main.token)).toMatchObject({ code: 200, trips: 2 })
    const commands = await db.select().from(alertCommands).where(eq(alertCommands.accountId, main.accountId))
    expect(commands).toMatchObject([{ kind: 'acknowledge', target: 'a1', actor: main.session.username }])
    expect((await rowFor(main)).handled).toBeNull() // the hub has not acknowledged it yet
    const reader = await createSubAccount(main, { flags: ['monitor:view'] })
    await worker.call(handle, { id }, reader.token)
    expect((await rowFor(main)).handled).toMatchObject({ by: reader.session.username })
  })

  it('shows who has acknowledged the alert of the row', async () => {
    const { main, rowFor } = await createAbsence((object) => [
      { id: 'a1', rule: 'router_offline', object, networks: [], ackBy: 'wang', ackAt: 5 },
    ])
    expect((await rowFor(main)).handled).toEqual({ by: 'wang', at: 5 })
  })

  it('ends with the trouble: the next one has no handler, and takes one again', async () => {
    const { main, lost, worker, rowFor } = await createAbsence()
    const { id } = await rowFor(main)
    await worker.call(handle, { id }, main.token)
    const again = Date.now() + 1_000
    await db
      .update(routerStates)
      .set({ presenceSince: again, lastSeenAt: again })
      .where(eq(routerStates.routerId, lost.id))
    expect((await rowFor(main)).handled).toBeNull()
  })

  it('of a trouble that is over, or that the role does not see, is refused', async () => {
    const { main, worker, rowFor } = await createAbsence()
    const { id } = await rowFor(main)
    expect(await worker.call(handle, { id: 'outage gone' }, main.token)).toMatchObject(refusal('ATTENTION_OVER'))
    const limited = await createSubAccount(main, { flags: [], networks: [] })
    expect(await worker.call(handle, { id }, limited.token)).toMatchObject(refusal('ATTENTION_OVER'))
  })
})
