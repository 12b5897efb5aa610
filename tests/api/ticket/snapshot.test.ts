import { describe, expect, it } from 'vitest'
import { ticketApi } from '#contract/ticket/index.ts'
import { evaluateNetwork } from '#domain/health/network.ts'
import { fakeHubs, noAnswer } from '#tests/support/fake-hubs.ts'
import { createMainAccount, createRouter, createSubAccount } from '#tests/support/fixtures.ts'
import { insertMember, insertNetwork } from '#tests/support/rows.ts'
import { createTestWorker, refusal } from '#tests/support/test-worker.ts'
import { FORM } from '#tests/support/tickets.ts'

const LINK = { id: 'l', since: 1, reason: '中心点离线', rtt_ms: null, client_up: null, server_up: null } as const
const MOVE = { from: 'online', to: 'offline', at: 1, reason: '心跳超时' } as const

async function createPlace() {
  const main = await createMainAccount()
  const { accountId } = main
  const state = {
    presence: 'offline',
    presenceSince: 5,
    configState: 'applied',
    configVersion: 7,
    version: '2.1',
  } as const
  const router = await createRouter(accountId, { note: '北京', state })
  const [first, second] = [
    await insertNetwork({ accountId, name: '一网' }),
    await insertNetwork({ accountId, name: '二网' }),
  ]
  for (const network of [first, second])
    await insertMember({ accountId, networkId: network.id, routerId: router.id, memberType: 'point' })
  const routerTarget = { kind: 'router', router_name: router.name } as const
  const networkTarget = { kind: 'network', network_number: first.number } as const
  return { main, router, first, second, routerTarget, networkTarget }
}

const HEALTH = evaluateNetwork([], []).health

function workerWith(router: string, over: object = {}) {
  const node = { ...LINK, router_name: router, center_router_name: 'POP-SH-01', kind: 'pop', state: 'up' }
  const down = { ...LINK, router_name: router, center_router_name: 'NL-HQ', state: 'down' }
  return createTestWorker({
    hubs: fakeHubs({
      'account.routerTransitions': () => [MOVE],
      'network.routerLinks': () => ({ links: [node, down], paths: { up: 1, total: 2, single_center: 1 } }),
      'network.status': () => ({ seq: 1, members: [], links: [node, down], health: HEALTH }),
      ...over,
    }).hubs,
  })
}

describe('account 2 · a diagnostic snapshot', () => {
  it('of a member: state, transitions, configuration and links, in two round trips; no name of a POP node', async () => {
    const { main, router, routerTarget } = await createPlace()
    const worker = workerWith(router.name)
    const created = await worker.call(ticketApi.create, { ...FORM, snapshot: routerTarget }, main.token)
    expect(created).toMatchObject({ code: 200, trips: 2 })
    const { data } = await main.call(ticketApi.info, { ticket_number: created.data.ticket_number })
    expect(data.snapshot).toMatchObject({
      kind: 'router',
      name: router.name,
      note: '北京',
      version: '2.1',
      presence: { state: 'offline', since: 5 },
      config: { state: 'applied', version: 7 },
      networks: [{ network_name: '二网' }, { network_name: '一网' }],
      transitions: [MOVE],
      link_count: 4,
      incomplete: 0,
    })
    const links = data.snapshot!.links.map(({ state, center_router_name }) => [state, center_router_name])
    expect(links).toEqual([
      ['down', 'NL-HQ'],
      ['down', 'NL-HQ'],
      ['up', 'POP节点'],
      ['up', 'POP节点'],
    ])
    expect(JSON.stringify(data)).not.toContain('POP-SH-01')
  })
  it('of a network: its settings, members by their last move, and links; with a reply too', async () => {
    const { main, router, first, networkTarget } = await createPlace()
    const worker = workerWith(router.name)
    const { data: created } = await worker.call(ticketApi.create, FORM, main.token)
    const target = { ticket_number: created.ticket_number }
    const answer = await worker.call(
      ticketApi.reply,
      { ...target, content: '见快照', snapshot: networkTarget },
      main.token,
    )
    expect(answer).toMatchObject({ code: 200, trips: 2 })
    const { data } = await main.call(ticketApi.info, target)
    expect(data.dialogue[0]?.snapshot).toMatchObject({
      kind: 'network',
      network_number: first.number,
      name: '一网',
      revision: 1,
      network_status: 1,
      members: [{ router_name: router.name, note: '北京', presence: { state: 'offline' }, config: { version: 7 } }],
      link_count: 2,
      health: HEALTH,
    })
  })
  it('the ticket is submitted where hubs do not answer', async () => {
    const { main, router, routerTarget, networkTarget } = await createPlace()
    const silent = {
      'account.routerTransitions': noAnswer,
      'network.routerLinks': noAnswer,
      'network.status': noAnswer,
    }
    const worker = workerWith(router.name, silent)
    for (const snapshot of [routerTarget, networkTarget]) {
      const { data } = await worker.call(ticketApi.create, { ...FORM, snapshot }, main.token)
      const shown = await main.call(ticketApi.info, { ticket_number: data.ticket_number })
      expect(shown.data.snapshot).toMatchObject({ incomplete: 1, links: [], link_count: 0 })
    }
  })
})

describe('account 6 · a role limited to networks', () => {
  it('attaches snapshots of its networks and their members only, and sees of these no other network', async () => {
    const { main, router, first, second, routerTarget, networkTarget } = await createPlace()
    const limited = await createSubAccount(main, { networks: [first.number] })
    const worker = workerWith(router.name)
    const { data } = await worker.call(ticketApi.create, { ...FORM, snapshot: routerTarget }, limited.token)
    const shown = await limited.call(ticketApi.info, { ticket_number: data.ticket_number })
    expect(shown.data.snapshot).toMatchObject({ networks: [{ network_name: '一网' }], link_count: 2 })
    expect(JSON.stringify(shown.data)).not.toContain(second.number)
    expect(await worker.call(ticketApi.create, { ...FORM, snapshot: networkTarget }, limited.token)).toMatchObject({
      code: 200,
    })

    const outside = await createRouter(main.accountId)
    for (const [snapshot, key] of [
      [{ kind: 'router', router_name: outside.name }, 'ROUTER_NOT_FOUND'],
      [{ kind: 'network', network_number: second.number }, 'NETWORK_NOT_FOUND'],
    ] as const)
      expect(await worker.call(ticketApi.create, { ...FORM, snapshot }, limited.token)).toMatchObject(refusal(key))
    expect((await limited.call(ticketApi.lists, {})).count).toBe(2)
  })
  it('another tenant’s member or network answers like an unknown one', async () => {
    const { routerTarget, networkTarget } = await createPlace()
    const stranger = await createMainAccount()
    expect(await stranger.call(ticketApi.create, { ...FORM, snapshot: routerTarget })).toMatchObject(
      refusal('ROUTER_NOT_FOUND'),
    )
    expect(await stranger.call(ticketApi.create, { ...FORM, snapshot: networkTarget })).toMatchObject(
      refusal('NETWORK_NOT_FOUND'),
    )
  })
})
