import { eq, inArray } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { NETWORK } from '#contract/network/limits.ts'
import type { OutboxContext } from '#db/hub-outbox.ts'
import { services } from '#db/schema/accounts.ts'
import { hubOutbox } from '#db/schema/service.ts'
import { updateNetworkStatus, updateNetworkStatusSince } from '#features/network/sql/status.ts'
import { messages } from '#db/schema/notices.ts'
import { warnOfWithdrawal, withdrawNetworks } from '#jobs/expiry.ts'
import { createService, createFleet, createNetwork, selectAudits, networkRow } from '#tests/support/fixtures.ts'
import { db, refusal } from '#tests/support/test-worker.ts'

describe('network 2 · a network over quota', () => {
  async function suspended() {
    const fleet = await createFleet({ memberQuota: 4 })
    const { main, routers } = fleet
    const first = await createNetwork(main, routers.slice(0, 2), '先建')
    const second = await createNetwork(main, routers.slice(2, 4), '后建')
    await db.update(services).set({ quantity: 3 }).where(eq(services.accountId, main.accountId))
    await updateNetworkStatus(db, main.accountId, Date.now())
    return { ...fleet, first, second }
  }

  it('the newest is suspended first; removing members restores it', async () => {
    const { main, routers, first, second } = await suspended()
    expect([(await networkRow(first)).status, (await networkRow(second)).status]).toEqual([1, 0])
    const target = { network_number: second }
    const add = { ...target, router_name: routers[0]!.name, member_type: 'point' as const }
    expect(await main.call(networkApi.addMember, add)).toMatchObject(refusal('NETWORK_SUSPENDED'))
    const plan = { ...target, network_name: '后建', center: [routers[2]!.name], point: [routers[1]!.name] }
    expect(await main.call(networkApi.edit, plan)).toMatchObject(refusal('NETWORK_SUSPENDED'))
    expect(await main.call(networkApi.reSendConfig, target)).toMatchObject(refusal('NETWORK_SUSPENDED'))
    expect(await main.call(networkApi.edit, { ...plan, point: [] })).toMatchObject({ code: 200 })
    expect(await networkRow(second)).toMatchObject({ status: 1 })
  })

  it('stops the one that does not fit and goes on: a younger one that fits keeps working', async () => {
    const { main, routers } = await createFleet({ memberQuota: 6, hardware: 6 })
    const [old, large, small] = [
      await createNetwork(main, routers.slice(0, 1), '老网'),
      await createNetwork(main, routers.slice(1, 5), '大网'),
      await createNetwork(main, routers.slice(5, 6), '小网'),
    ]
    await db.update(services).set({ quantity: 2 }).where(eq(services.accountId, main.accountId))
    await updateNetworkStatusSince(db, 0, Date.now())
    const statuses = async () =>
      Promise.all([old, large, small].map(async (number) => (await networkRow(number)).status))
    expect(await statuses()).toEqual([1, 0, 1])
    await db.update(services).set({ quantity: 5 }).where(eq(services.accountId, main.accountId))
    await updateNetworkStatus(db, main.accountId, Date.now())
    expect(await statuses()).toEqual([1, 1, 0])
  })

  it('a member that leaves an older network frees the newer one', async () => {
    const { main, routers, first, second } = await suspended()
    await main.call(networkApi.removeMember, { network_number: first, router_name: routers[1]!.name })
    expect(await networkRow(second)).toMatchObject({ status: 1 })
  })

  it('can be deleted, and may be renamed', async () => {
    const { main, second } = await suspended()
    expect(await main.call(networkApi.name, { network_number: second, network_name: '改名' })).toMatchObject({
      code: 200,
    })
    expect(await main.call(networkApi.delete, { network_number: second })).toMatchObject({ code: 200 })
  })

  it('shows since when, and is withdrawn from all documents once, fifteen days later; a renewal brings it back', async () => {
    const { main, routers, first, second } = await suspended()
    const row = await networkRow(second)
    const info = async (network_number: string) => (await main.call(networkApi.info, { network_number })).data
    expect((await info(second)).suspended_time).toBe(row.suspendedAt)
    expect((await info(first)).suspended_time).toBeNull()
    const endsAt = row.suspendedAt! + NETWORK.suspensionDays * 86_400_000
    /** Hubs of this account that one run refreshes. */
    const run = async (now: number) => {
      const ctx = { db, now, runId: 'run-1', hubOutbox: [] as OutboxContext['hubOutbox'] }
      await withdrawNetworks(ctx)
      const own = [row.hub, (await networkRow(first)).hub, ...routers.map(({ hub }) => hub)]
      return ctx.hubOutbox
        .map(({ hub }) => hub)
        .filter((hub) => own.includes(hub))
        .toSorted()
    }
    const hubs = [row.hub, routers[2]!.hub, routers[3]!.hub].toSorted()
    expect(await run(endsAt - 1)).toEqual([])
    expect(await run(endsAt)).toEqual(hubs)
    expect(await networkRow(second)).toMatchObject({ withdrawn: 1, revision: row.revision + 1 })
    const stored = await db.select({ hub: hubOutbox.hub }).from(hubOutbox).where(inArray(hubOutbox.hub, hubs))
    expect(stored.map(({ hub }) => hub)).toEqual(expect.arrayContaining(hubs))
    expect(await run(endsAt + 60_000)).toEqual([])
    await createService(main.accountId, 'network_member', 4)
    await updateNetworkStatus(db, main.accountId, Date.now())
    expect((await info(second)).suspended_time).toBeNull()
    expect(await run(endsAt + 120_000)).toEqual(hubs)
    expect(await networkRow(second)).toMatchObject({ withdrawn: 0, suspendedAt: null })
    expect(await run(endsAt + 180_000)).toEqual([])
    const audit = (await selectAudits(main.accountId)).filter(({ requestId }) => requestId === 'run-1')
    expect(audit.map(({ actorKind, target, message }) => [actorKind, target, message])).toEqual([
      ['system', second, '组网“后建”停用已满15天，已从成员设备移除配置'],
      ['system', second, '组网“后建”已启用，重新向成员设备下发配置'],
    ])
  })

  it('the account is warned 15, 7 and 1 days before that, once each; a late run writes the last one only', async () => {
    const { main, second } = await suspended()
    const { suspendedAt } = await networkRow(second)
    /** Days left by the messages that a run after so many days has written, and the hubs that count them. */
    const warn = async (afterDays: number) => {
      const known = await db.$count(messages, eq(messages.accountId, main.accountId))
      const ctx = { db, now: suspendedAt! + afterDays * 86_400_000, hubOutbox: [] as OutboxContext['hubOutbox'] }
      await warnOfWithdrawal(ctx)
      const rows = await db.select().from(messages).where(eq(messages.accountId, main.accountId)).orderBy(messages.id)
      const added = rows.slice(known).map(({ content }) => Number(/(\d+)天/.exec(content)?.[1]))
      return [added, ctx.hubOutbox.filter(({ hub }) => hub === main.hub).length]
    }
    expect(await warn(0)).toEqual([[15], 1])
    expect(await warn(7.9)).toEqual([[], 0])
    expect(await warn(8)).toEqual([[7], 1])
    expect(await warn(14.5)).toEqual([[1], 1])
    expect(await warn(14.6)).toEqual([[], 0])
    const [row] = await db.select().from(messages).where(eq(messages.accountId, main.accountId))
    expect(row).toMatchObject({ type: '服务', title: '组网“后建”已停用' })
  })

  it('one that a run finds late is warned once', async () => {
    const { main, second } = await suspended()
    const { suspendedAt } = await networkRow(second)
    const run = { db, now: suspendedAt! + 14.5 * 86_400_000, hubOutbox: [] }
    await warnOfWithdrawal(run)
    const rows = await db.select().from(messages).where(eq(messages.accountId, main.accountId))
    expect(rows.map(({ content }) => content)).toEqual([
      '成员配额不足，组网“后建”已停用。若未恢复，1天后将移除设备上的该组网配置，成员之间不再互通，请续费或移除多余成员。',
    ])
  })

  it('that is suspended again counts from then', async () => {
    const { main, second } = await suspended()
    const before = (await networkRow(second)).suspendedAt!
    const set = (quantity: number) =>
      db.update(services).set({ quantity }).where(eq(services.accountId, main.accountId))
    await set(4)
    await updateNetworkStatus(db, main.accountId, before + 1_000)
    await set(3)
    await updateNetworkStatus(db, main.accountId, before + 2_000)
    await updateNetworkStatus(db, main.accountId, before + 3_000)
    expect((await networkRow(second)).suspendedAt).toBe(before + 2_000)
  })

  it('the cron applies services that end or begin, for all accounts at once', async () => {
    const { main, routers } = await createFleet({ memberQuota: 2 })
    const other = await createFleet({ memberQuota: 2 })
    const number = await createNetwork(main, routers.slice(0, 2))
    const untouched = await createNetwork(other.main, other.routers.slice(0, 2))
    await db
      .update(services)
      .set({ expireAt: Date.now() - 1 })
      .where(eq(services.accountId, main.accountId))
    await updateNetworkStatusSince(db, 0, Date.now())
    expect([(await networkRow(number)).status, (await networkRow(untouched)).status]).toEqual([0, 1])
    await createService(main.accountId, 'network_member', 2)
    await updateNetworkStatusSince(db, 0, Date.now())
    expect((await networkRow(number)).status).toBe(1)
  })
})
