import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { accounts, auditLogs } from '#db/schema/accounts.ts'
import { hubOutbox } from '#db/schema/service.ts'
import {
  networkMembers,
  networks,
  memberSettings,
  networkSettings,
  networkVersions,
  portClaims,
} from '#db/schema/networks.ts'
import { createFleet, networkRow } from '#tests/support/fixtures.ts'
import { type Answer, type Call, createTestWorker, db, refusal } from '#tests/support/test-worker.ts'

/** Two centres, a point, and a software member; the account may use everything. */
async function createFaultNetwork() {
  const { main, routers, apps } = await createFleet({ centers: 2 })
  const features = { quagga: 1, quaggaAdvanced: 1, defaultRoute: 1 } as const
  await db.update(accounts).set(features).where(eq(accounts.id, main.accountId))
  const [a, b, point] = routers.map(({ name }) => name) as [string, string, string]
  const app = apps[0]!.name
  const plan = { network_name: '测试网', center: [a, b], point: [point, app] }
  const { data } = await main.call(networkApi.create, plan)
  return { main, a, b, point, app, number: data.network_number }
}
type Net = Awaited<ReturnType<typeof createFaultNetwork>>
type Reply = Promise<Answer<unknown>>

interface Setting {
  /** Sets one of two values, as somebody who has seen the setting before its first edit. */
  readonly set: (call: Call, net: Net, value: 0 | 1) => Reply
  /** Member that the call names; absent for settings of the network alone. */
  readonly member?: 'a' | 'point' | 'app'
}

const revision = 0
const segment = (gateway: string, mask = 20) => ({ gateway, mask })
const target = ({ number }: Net) => ({ network_number: number, revision })

/** The ten calls that people use most. */
const SETTINGS: Readonly<Record<string, Setting>> = {
  'network/dns': {
    set: (call, net, n) => call(networkApi.dns, { ...target(net), dns: [`10.0.0.5${n}`] }),
  },
  'network/edit_prefix': {
    set: (call, net, n) => call(networkApi.editPrefix, { ...target(net), prefix: [{ ip: `10.${n}.0.0`, mask: 16 }] }),
  },
  'network/edit_routing': {
    set: (call, net, n) => {
      const [main_router, secondary_router] = n === 0 ? [net.a, net.b] : [net.b, net.a]
      return call(networkApi.editRouting, { ...target(net), type: 2, main_router, secondary_router })
    },
  },
  'network/center_link': {
    set: (call, net, n) => {
      const link = { center_router_name: net.a, ...segment(`172.31.${200 + n}.0`, 30) }
      return call(networkApi.centerLink, { ...target(net), ...link })
    },
  },
  'network/edit_center_gateway': {
    member: 'a',
    set: (call, net, n) => {
      const router_network = segment(`10.${200 + n}.0.0`)
      return call(networkApi.editCenterGateway, { ...target(net), router_name: net.a, router_network })
    },
  },
  'network/edit_ip_address_pool': {
    set: (call, net, n) => {
      const pools = { pop: segment(`10.${210 + n}.0.0`), pop_software: segment(`10.${220 + n}.0.0`) }
      return call(networkApi.editIpAddressPool, { ...target(net), ...pools })
    },
  },
  'network/fixed_port': {
    member: 'a',
    set: (call, net, n) => {
      const router_service = { public_ip: '', public_port: 31_000 + n, static_port: 31_000 + n }
      return call(networkApi.fixedPort, { ...target(net), router_name: net.a, router_service })
    },
  },
  'network/default_route': {
    member: 'point',
    set: (call, net, n) =>
      call(networkApi.defaultRoute, { ...target(net), router_name: net.point, model: 1, metric: n === 0 ? 60 : 90 }),
  },
  'network/quagga': {
    member: 'point',
    set: (call, net) => call(networkApi.quagga, { ...target(net), router_name: net.point, enable: 1 }),
  },
  'network/software_mode': {
    member: 'app',
    set: (call, net, n) =>
      call(networkApi.softwareMode, { ...target(net), router_name: net.app, mode: n === 0 ? 2 : 3 }),
  },
}
const CASES = Object.entries(SETTINGS).map(([path, setting]) => ({ path, ...setting }))

/** Everything that a write of a setting may leave behind. */
async function stored({ main: { accountId } }: Net) {
  const [settings, ofMembers, ports, versions, [network], audits] = await Promise.all([
    db.select().from(networkSettings).where(eq(networkSettings.accountId, accountId)),
    db.select().from(memberSettings).where(eq(memberSettings.accountId, accountId)),
    db.select().from(portClaims).where(eq(portClaims.accountId, accountId)),
    db.select().from(networkVersions).where(eq(networkVersions.accountId, accountId)),
    db.select().from(networks).where(eq(networks.accountId, accountId)),
    db.select({ id: auditLogs.id }).from(auditLogs).where(eq(auditLogs.accountId, accountId)),
  ])
  const rows = { settings, ofMembers, ports, versions, network }
  return { rows: JSON.stringify(rows), audits: audits.length }
}
const as = ({ main: { token } }: Net, call: Call): Call => ((spec, input) => call(spec, input, token)) as Call
const lost = (net: Net, is: 'before' | 'committed') => as(net, createTestWorker({ lostAt: { trip: 2, is } }).call)

describe.each(CASES)('network 7 · $path', ({ set }) => {
  it('a connection that is lost before the write stores nothing; the same call again does, once', async () => {
    const net = await createFaultNetwork()
    const before = await stored(net)
    const failed = await set(lost(net, 'before'), net, 0)
    expect(failed).toMatchObject(refusal('DATABASE_AWAY'))
    expect(await stored(net)).toEqual(before)
    expect(await set(net.main.call, net, 0)).toMatchObject({ code: 200 })
    expect((await stored(net)).audits).toBe(before.audits + 1)
  })

  it('one that is lost behind it has stored all of it, notices included, and the same call again adds nothing', async () => {
    const net = await createFaultNetwork()
    const before = await stored(net)
    await set(lost(net, 'committed'), net, 0)
    const once = await stored(net)
    expect([once.rows === before.rows, once.audits]).toEqual([false, before.audits + 1])
    const { hub } = await networkRow(net.number)
    expect(await db.select().from(hubOutbox).where(eq(hubOutbox.hub, hub))).toMatchObject([{ op: 'refresh' }])
    const again = await set(net.main.call, net, 0)
    expect(again).toMatchObject(refusal('SETTING_CHANGED'))
    expect(await stored(net)).toEqual(once)
  })

  it('a double click is one write', async () => {
    const net = await createFaultNetwork()
    const { audits } = await stored(net)
    const answers = await Promise.all([set(net.main.call, net, 0), set(net.main.call, net, 0)])
    expect(answers.map(({ code }) => code)).toContain(200)
    for (const answer of answers.filter(({ code }) => code !== 200))
      expect(answer).toMatchObject(refusal('SETTING_CHANGED'))
    expect((await stored(net)).audits).toBe(audits + 1)
  })

  it('of two people with the same revision the second is refused, and the first one’s value stays', async () => {
    const net = await createFaultNetwork()
    expect(await set(net.main.call, net, 0)).toMatchObject({ code: 200 })
    const first = await stored(net)
    expect(await set(net.main.call, net, 1)).toMatchObject(refusal('SETTING_CHANGED'))
    expect(await stored(net)).toEqual(first)
  })

  it('two at once: one is stored whole, the other is refused', async () => {
    const net = await createFaultNetwork()
    const { audits } = await stored(net)
    const answers = await Promise.all([set(net.main.call, net, 0), set(net.main.call, net, 1)])
    const refused = answers.filter(({ code }) => code !== 200)
    expect(refused).toMatchObject([refusal('SETTING_CHANGED')])
    expect((await stored(net)).audits).toBe(audits + 1)
  })

  it('a network that is deleted while the dialog is open is not found, and nothing of it comes back', async () => {
    const net = await createFaultNetwork()
    const afterFirstTrip = () => net.main.call(networkApi.delete, { network_number: net.number })
    const between = as(net, createTestWorker({ afterFirstTrip }).call)
    expect(await set(between, net, 0)).toMatchObject(refusal('NETWORK_NOT_FOUND'))
    expect(await set(net.main.call, net, 0)).toMatchObject(refusal('NETWORK_NOT_FOUND'))
    const { settings, ofMembers, ports } = JSON.parse((await stored(net)).rows) as Record<string, unknown[]>
    expect([settings, ofMembers, ports]).toEqual([[], [], []])
  })
})

const ofMembers = CASES.flatMap(({ member, ...one }) => (member ? [{ ...one, member }] : []))
it.each(ofMembers)(
  '$path of a member that leaves meanwhile: it is not in the network, and gets no row',
  async ({ set, member }) => {
    const net = await createFaultNetwork()
    const router_name = net[member]
    const afterFirstTrip = () => net.main.call(networkApi.removeMember, { network_number: net.number, router_name })
    const between = as(net, createTestWorker({ afterFirstTrip }).call)
    expect(await set(between, net, 0)).toMatchObject(refusal('MEMBER_NOT_IN_NETWORK'))
    const members = await db.select().from(networkMembers).where(eq(networkMembers.accountId, net.main.accountId))
    expect(members).toHaveLength(3)
    const { ofMembers, ports } = JSON.parse((await stored(net)).rows) as Record<string, unknown[]>
    expect([ofMembers, ports]).toEqual([[], []])
  },
)
