import { env } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { readNetwork } from '#durable/network-hub/database.ts'
import { readRouter } from '#durable/router-hub/database.ts'
import { saveNetworkSetting } from '#features/network/sql/settings.ts'
import { networkMembers, memberSettings } from '#db/schema/networks.ts'
import { networkFrs } from '#db/schema/pop.ts'
import { DEVICE_SETTING_KEYS } from '#domain/network/compile/device-settings.ts'
import { allLinks } from '#domain/network/members/links.ts'
import { createSoftwareRouter, lanPort } from '#tests/support/fixtures.ts'
import { insertMember } from '#tests/support/rows.ts'
import { db } from '#tests/support/test-worker.ts'
import { createCarried, createNode } from './carried-network.ts'
import {
  type TestNetwork,
  type TestRouter,
  askHealth,
  connectOnlineDevice,
  isFrame,
  networkStub,
  readNow,
  routerStub,
  selectState,
  until,
} from './support.ts'

const textOf = async ({ hub }: Pick<TestRouter, 'hub'>) => JSON.stringify((await readRouter(env, hub))?.document)
const namesOf = ({ number, center, points }: TestNetwork) => [number, center.name, ...points.map(({ name }) => name)]

describe('network 2 · one node that carries networks of two accounts', () => {
  it('has both in its document, each alone, and its own account has neither', async () => {
    const pop = await createNode()
    const [first, second] = [await createCarried(pop, 0), await createCarried(pop, 1)]
    const read = await readRouter(env, pop.node.hub)
    const networks = read!.document.networks
    expect(networks.map((n) => n.network_number).toSorted()).toEqual([first.number, second.number].toSorted())
    for (const [own, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const part = networks.find((n) => n.network_number === own.number)!
      expect(part).toMatchObject({
        member_type: 'pop',
        isolated: true,
        members: [{ router_name: own.points[0]!.name }],
      })
      expect(namesOf(other).filter((name) => JSON.stringify(part).includes(name))).toEqual([])
    }
    const ports = networks.flatMap(({ servers }) => servers.map(({ port }) => port))
    expect(new Set(ports).size).toBe(4)
    expect(read!.event.router).toMatchObject({ networks: [{}, {}], seenIn: [] }) // their hubs get its reports
  })

  it('has a link in the hub as long as its part holds the member, as in documents', async () => {
    const pop = await createNode()
    const network = await createCarried(pop, 0)
    const [dialling] = network.points
    const linked = async () => {
      const { members, links } = (await readNetwork(env, network.hub))!
      const ends = members.flatMap(({ router_name: routerName, router_type: routerType, member_type }) => {
        const routerId = links.ids.get(routerName)
        return member_type === 'pop' || routerId === undefined
          ? []
          : [{ routerId, routerName, routerType, memberType: member_type }]
      })
      const all = allLinks(network.number, ends, links)
      return all.some(({ kind, client }) => kind === 'pop' && client === dialling!.name)
    }
    expect(await linked()).toBe(true)
    const pool = { gateway: '', mask: 20, pop: { gateway: '10.210.0.0', mask: 24 }, pop_software: null }
    await saveNetworkSetting(db, network, 'ip_pool', pool, 1)
    expect(await linked()).toBe(true)
    await db.update(networkMembers).set({ host: 300 }).where(eq(networkMembers.routerId, dialling!.routerId))
    expect(await linked()).toBe(false)
    expect(await textOf(dialling!)).not.toContain(pop.node.name)
  })

  it('is in the documents of members that dial it, and of no other', async () => {
    const pop = await createNode()
    const [first, second] = [await createCarried(pop, 0), await createCarried(pop, 1)]
    const [dialling, other] = first.points
    expect(await textOf(dialling!)).toContain(pop.node.name)
    expect(await textOf(other!)).not.toContain(pop.node.name)
    expect(await textOf(first.center)).not.toContain(pop.node.name)
    const text = await textOf(dialling!)
    expect([...namesOf(second), other!.name].filter((name) => text.includes(name))).toEqual([])
  })

  it('leaves all documents with its resource', async () => {
    const pop = await createNode()
    const { points, frId } = await createCarried(pop, 0)
    await db.update(networkFrs).set({ lapsed: 1 }).where(eq(networkFrs.id, frId))
    expect((await readRouter(env, pop.node.hub))!.document.networks).toEqual([])
    expect(await textOf(points[0]!)).not.toContain(pop.node.name)
  })
})

describe('hubs.md, Dials · a node', () => {
  it('brings a software member of another account 在线, in that account and its network', async () => {
    const pop = await createNode()
    const carried = await createCarried(pop, 0)
    const { accountId, id: networkId, number, points } = carried
    const client = await createSoftwareRouter(accountId)
    await insertMember({ accountId, networkId, routerId: client.id, memberType: 'point' })
    const [areas] = await db.select().from(memberSettings).where(eq(memberSettings.routerId, points[0]!.routerId))
    const { id: _, ...setting } = areas!
    await db.insert(memberSettings).values({ ...setting, routerId: client.id })
    await readNow(routerStub(pop.node))
    await readNow(networkStub(carried))
    const device = await connectOnlineDevice(pop.node)
    const times = { began_ms: 0, ended_ms: null, rx: 0, tx: 0 }
    const dial = { key: 'a', network_number: number, name: client.name, remote: '203.0.113.9', ...times }
    const stateIn = async (revision: number) =>
      (await networkStub(carried).status(revision)).members.find((member) => member.router_name === client.name)
        ?.presence
    expect(await stateIn(1)).toMatchObject({ state: 'never' })
    device.send({ t: 'dial', dials: [dial] })
    await until(async () => ((await stateIn(1))?.state === 'online' ? true : undefined))
    const { transitions } = await askHealth(carried, { networks: [], since: 0 })
    expect(transitions).toMatchObject([{ routerHub: client.hub, from: 'never', to: 'online' }])
    expect(
      (await askHealth(pop.node, { networks: [], since: 0 })).transitions.map(({ routerHub }) => routerHub),
    ).not.toContain(client.hub)
  })
})

describe('hubs.md, Configuration lifecycle · a node', () => {
  it('that refuses one network says so there alone, and its row keeps the reason', async () => {
    const pop = await createNode()
    const [first, second] = [await createCarried(pop, 0), await createCarried(pop, 1)]
    for (const { center } of [first, second]) await connectOnlineDevice(center)
    const device = await connectOnlineDevice(pop.node, { capabilities: [...DEVICE_SETTING_KEYS] })
    const { version, hash } = await device.next(isFrame('config'))
    const refused = [{ network_number: first.number, reason: '端口20000已被占用' }]
    device.send({ t: 'config_result', version, hash, state: 'applied', refused })
    const causeIn = async (network: TestNetwork) => (await networkStub(network).status(1)).health.cause
    await until(async () => ((await causeIn(first)).includes('拒绝') ? true : undefined))
    expect(await causeIn(first)).toBe('1 个POP节点拒绝了配置：端口20000已被占用')
    expect(await causeIn(second)).not.toContain('拒绝')
    expect(await selectState(pop.node)).toMatchObject({
      configState: 'applied',
      configRefused: JSON.stringify([{ number: first.number, reason: '端口20000已被占用' }]),
    })
    const { members } = (await readNetwork(env, first.hub))!
    expect(members.find(({ member_type }) => member_type === 'pop')?.config.state).toBe('failed')
    device.send({ t: 'config_result', version, hash, state: 'applied' })
    await until(async () => ((await causeIn(first)).includes('拒绝') ? undefined : true))
  })

  it('that answers elsewhere now moves the members that dial it', async () => {
    const pop = await createNode()
    const { points } = await createCarried(pop, 0)
    const device = await connectOnlineDevice(points[0]!)
    await device.next(isFrame('config'))
    await connectOnlineDevice(pop.node, { probe_port: 4500 })
    const pushed = await device.next((frame) => frame.t === 'config' && JSON.stringify(frame).includes('4500'))
    expect(JSON.stringify(pushed)).toContain(pop.node.name)
  })

  it('gets another document when a member that dials it has another LAN', async () => {
    const pop = await createNode()
    const { points } = await createCarried(pop, 0)
    const device = await connectOnlineDevice(pop.node)
    await device.next(isFrame('config'))
    await connectOnlineDevice(points[0]!, { interfaces: [lanPort('192.168.77.1/24', 0)] })
    const pushed = await device.next(
      (frame) => frame.t === 'config' && JSON.stringify(frame).includes('192.168.77.0/24'),
    )
    expect(JSON.stringify(pushed)).toContain(points[0]!.name)
  })
})
