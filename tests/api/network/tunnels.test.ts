import { expect, it } from 'vitest'
import type { LinkView } from '#contract/kernel/protocol.ts'
import { networkApi } from '#contract/network/index.ts'
import { dialLogs } from '#db/schema/clients.ts'
import { networkJobs } from '#db/schema/networks.ts'
import { evaluateNetwork } from '#domain/health/network.ts'
import { linkId } from '#domain/network/members/links.ts'
import { fakeHubs, noAnswer } from '#tests/support/fake-hubs.ts'
import { createFleet, createNetwork, createSubAccount, selectAudits, unique } from '#tests/support/fixtures.ts'
import { createTestWorker, db, refusal } from '#tests/support/test-worker.ts'

/* Calls about the tunnels of a network, and the end of a session for good. */

const SINCE = Date.parse('2026-07-01T04:00:00Z')

async function createTunnels() {
  const { main, routers, apps } = await createFleet({ hardware: 3 })
  const [center, point, other] = routers
  const [app] = apps
  const number = await createNetwork(main, [center!, point!, other!, app!])
  const toLink = (client: string, over: Partial<LinkView> = {}): LinkView => ({
    id: linkId(number, client, center!.name),
    router_name: client,
    center_router_name: center!.name,
    state: 'up',
    since: SINCE,
    reason: '',
    rtt_ms: 12.5,
    client_up: true,
    server_up: true,
    ...over,
  })
  const tunnel = { cipher: 'AES-256-GCM', loss: 15, client_remote: '203.0.113.9:4000', server_remote: '' }
  const links = [toLink(point!.name, { tunnel }), toLink(other!.name, { state: 'down', reason: '对端无应答' })]
  const session = {
    accountId: main.accountId,
    networkNumber: number,
    routerName: app!.name,
    routerId: app!.id,
    linkRouterName: center!.name,
    linkId: center!.id,
    mode: 'p2p' as const,
    orig: '198.51.100.7',
    vpnIp: '100.65.0.9',
    rx: 300,
    tx: 700,
  }
  await db.insert(dialLogs).values([
    { ...session, key: `${center!.id}:${unique('k')}`, startAt: SINCE },
    { ...session, key: `${center!.id}:${unique('k')}`, startAt: SINCE - 9, endAt: SINCE - 1 },
    { ...session, key: `link:${point!.id}:${unique('k')}`, startAt: SINCE, isLink: 1, routerId: point!.id },
  ])
  const view = { seq: 1, members: [], links, health: evaluateNetwork([], []).health }
  const fake = fakeHubs({
    'network.status': () => view,
    'router.linkTotals': (_: string, ids: string[]) =>
      Object.fromEntries(ids.map((id) => [id, { down: 5_000, upload: 4_000 }])),
  })
  const worker = createTestWorker({ hubs: fake.hubs })
  return { main, center: center!, point: point!, other: other!, app: app!, number, links, worker, calls: fake.calls }
}

it('lists links, the worst first, with the bytes that the dialling ends count, and then open sessions', async () => {
  const { main, center, point, other, app, number, links, worker, calls } = await createTunnels()
  const reply = await worker.call(networkApi.tunnels, { network_number: number }, main.token)
  expect(reply).toMatchObject({ code: 200, trips: 1, count: 3 })
  expect(reply.data.map(({ router_name }) => router_name)).toEqual([other.name, point.name, app.name])
  expect(reply.data[0]).toMatchObject({ state: 'down', reason: '对端无应答', carrier: 'probe', down: null })
  expect(reply.data[1]).toEqual({
    id: links[0]!.id,
    kind: 'access',
    router_name: point.name,
    router_name_note: '',
    peer: center.name,
    peer_note: '',
    state: 'up',
    reason: '',
    since: SINCE,
    cipher: 'AES-256-GCM',
    remote_ip: '203.0.113.9:4000',
    vpn_ip: reply.data[1]!.vpn_ip,
    rtt_ms: 12.5,
    loss: 15,
    down: 5_000,
    upload: 4_000,
    carrier: 'tunnel',
  })
  expect(reply.data[2]).toMatchObject({
    kind: 'software',
    peer: center.name,
    state: 'up',
    since: SINCE,
    remote_ip: '198.51.100.7',
    vpn_ip: '100.65.0.9',
    down: 700,
    upload: 300,
  })
  expect(calls.filter(({ method }) => method === 'linkTotals')).toMatchObject([
    { hub: point.hub, args: [[links[0]!.id]] },
  ])
})

it('of one member, of one kind, of named links, and by a search', async () => {
  const { main, center, point, app, number, links, worker } = await createTunnels()
  const names = async (input: object) =>
    (await worker.call(networkApi.tunnels, { network_number: number, ...input }, main.token)).data.map(
      ({ router_name }) => router_name,
    )
  expect(await names({ router_name: point.name.toLowerCase() })).toEqual([point.name])
  expect(await names({ router_name: center.name, kind: 'software' })).toEqual([app.name])
  expect(await names({ kind: 'link', id: links[0]!.id })).toEqual([point.name])
  expect(await names({ search: '198.51.' })).toEqual([app.name])
  expect(await names({ page: 2 })).toEqual([])
  const unknown = { network_number: number, router_name: 'nobody' }
  expect(await worker.call(networkApi.tunnels, unknown, main.token)).toMatchObject(refusal('MEMBER_NOT_IN_NETWORK'))
})

it('stays readable while hubs are silent: links are unknown, and bytes are not given', async () => {
  const { main, number, point, links } = await createTunnels()
  const silent = createTestWorker({ hubs: fakeHubs({ 'network.status': noAnswer }).hubs })
  const { data } = await silent.call(networkApi.tunnels, { network_number: number }, main.token)
  expect(data.map(({ state }) => state)).toEqual(['unknown', 'unknown', 'up'])
  const view = { seq: 1, members: [], links, health: evaluateNetwork([], []).health }
  const { hubs } = fakeHubs({ 'network.status': () => view, 'router.linkTotals': noAnswer })
  const input = { network_number: number, router_name: point.name }
  const reply = await createTestWorker({ hubs }).call(networkApi.tunnels, input, main.token)
  expect(reply.data).toMatchObject([{ state: 'up', down: null, upload: null }])
})

it('answers nobody outside the network’s account and role', async () => {
  const { main, number, worker } = await createTunnels()
  const { main: stranger } = await createFleet({ hardware: 1 })
  const { main: second, routers } = await createFleet({ hardware: 2 })
  const own = await createNetwork(second, routers)
  const limited = await createSubAccount(second, { flags: [], networks: [own] })
  const read = { network_number: number }
  for (const { token } of [stranger, limited])
    expect(await worker.call(networkApi.tunnels, read, token)).toMatchObject(refusal('NETWORK_NOT_FOUND'))
  expect((await worker.call(networkApi.tunnels, read, main.token)).code).toBe(200)
})

it('kill_user with halt keeps the client of a software member out until its person dials', async () => {
  const { main, point, app, number } = await createTunnels()
  const input = { network_number: number, router_name: app.name, halt: 1 as const }
  expect(await main.call(networkApi.killUser, input)).toMatchObject({ code: 200, msg: '已受理', trips: 2 })
  const params = JSON.stringify({ network_number: number, name: app.name, halt: true })
  expect((await db.select().from(networkJobs)).filter((job) => job.accountId === main.accountId)).toMatchObject([
    { kind: 'kill_user', params },
  ])
  expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({
    action: 'kill_user',
    message: `组网“测试网”的成员“${app.name}”强制下线`,
  })
  expect(await main.call(networkApi.killUser, { ...input, router_name: point.name })).toMatchObject(
    refusal('SOFTWARE_ONLY'),
  )
})
