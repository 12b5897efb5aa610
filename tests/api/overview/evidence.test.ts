import { describe, expect, it } from 'vitest'
import type { LinkView } from '#contract/kernel/protocol.ts'
import { overviewApi } from '#contract/overview/index.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import { createFleet, createNetwork, createRouter, createSubAccount } from '#tests/support/fixtures.ts'
import { createTestWorker } from '#tests/support/test-worker.ts'
import { since, state, summaryOf } from './evaluated-worker.ts'

const { evidence, info } = overviewApi

/** A centre that is away, a point whose link to another centre is one-sided, and a neighbour behind the same address. */
async function createOutage() {
  const { main } = await createFleet({ hardware: 0, memberQuota: 20, centers: 4 })
  const remoteHost = '203.0.113.7'
  const lost = await createRouter(main.accountId, { note: '总部', state: state('offline', { remoteHost }) })
  await createRouter(main.accountId, { note: '邻居', state: state('online', { remoteHost }) })
  const other = await createRouter(main.accountId, { note: '灾备', state: state('online') })
  const point = await createRouter(main.accountId, { note: '门店', state: state('online') })
  const number = await createNetwork(main, [lost, other, point], '全国门店')
  const link: LinkView = {
    id: `${number}/${point.name}/${other.name}`,
    router_name: point.name,
    center_router_name: other.name,
    state: 'one_sided',
    since,
    reason: '成员收不到对方的探测',
    rtt_ms: null,
    client_up: false,
    server_up: true,
  }
  const problem = {
    kind: 'link_one_sided',
    routerName: point.name,
    centerRouterName: other.name,
    isSingleCenter: false,
    reason: link.reason,
    since,
  } as const
  const moves = [5, 4, 3, 2, 1].map((minutes) => ({
    routerHub: lost.hub,
    from: 'online' as const,
    to: 'offline' as const,
    at: since - minutes * 60_000,
    reason: '连接中断',
  }))
  const fake = fakeHubs({
    'account.health': (_hub: string, question: { networks: { hub: string; members: Record<string, number> }[] }) => ({
      summaries: Object.fromEntries(
        question.networks.map(({ hub, members }) => [hub, { ...summaryOf(members), problems: [problem] }]),
      ),
      transitions: moves.toReversed(),
      unsupported: {},
    }),
    'network.routerLinks': () => ({ links: [link], paths: { up: 0, total: 1, single_center: 0 } }),
  })
  const worker = createTestWorker({ hubs: fake.hubs })
  const rows = (await worker.call(info, {}, main.token)).data.attention.rows
  return { main, lost, other, point, number, worker, rows, calls: fake.calls }
}

describe('design 10 · overview/evidence', () => {
  it('of an absent device has its last three events, its neighbours, and steps, in one round trip', async () => {
    const { main, lost, worker, rows } = await createOutage()
    const row = rows.find(({ target }) => target.router_name === lost.name)
    const { trips, data } = await worker.call(evidence, { id: row!.id }, main.token)
    expect(trips).toBe(1)
    expect(data.row).toMatchObject({ id: row!.id, name: '总部' })
    expect(data.events.map(({ at, note }) => [note, since - at])).toEqual([
      ['总部', 60_000],
      ['总部', 120_000],
      ['总部', 180_000],
    ])
    expect(data.site).toEqual({ address: '203.0.113.7', devices: 2, offline: 1 })
    expect(data.steps[0]).toBe('该处其他 1 台硬件在线，线路和供电正常：先查这台设备')
    expect(data.restart).toBeNull()
  })

  it('of a link has the view of each end, and the device whose tunnels may be restarted', async () => {
    const { main, point, other, number, worker, rows, calls } = await createOutage()
    const row = rows.find(({ kind }) => kind === 'link_one_sided')
    const { trips, data } = await worker.call(evidence, { id: row!.id }, main.token)
    expect(trips).toBe(1)
    expect(data.links).toEqual([
      {
        network_number: number,
        state: 'one_sided',
        reason: '成员收不到对方的探测',
        since,
        ends: [
          { router_name: point.name, note: '门店', receives: 0 },
          { router_name: other.name, note: '灾备', receives: 1 },
        ],
      },
    ])
    expect(data.steps[0]).toContain('“门店”收不到探测')
    expect(data.restart).toEqual({ network_number: number, router_name: point.name })
    expect(calls.filter(({ method }) => method === 'routerLinks')).toHaveLength(1)
  })

  it('says that a trouble is over, also of a row that the role does not see', async () => {
    const { main, worker, rows } = await createOutage()
    const over = { row: null, events: [], links: [], site: null, steps: [], restart: null }
    expect((await worker.call(evidence, { id: 'outage gone' }, main.token)).data).toEqual(over)
    const limited = await createSubAccount(main, { flags: [], networks: [] })
    expect((await worker.call(evidence, { id: rows[0]!.id }, limited.token)).data).toEqual(over)
    expect(await worker.call(evidence, { id: '' }, main.token)).toMatchObject({ code: 422, msg: '请选择事项' })
  })
})
