import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkFrApi } from '#contract/network-fr/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { networks } from '#db/schema/networks.ts'
import { clientLogin, createClients, readProfile } from '#tests/support/clients.ts'
import { createNetwork, createRouter, networkRow } from '#tests/support/fixtures.ts'
import { createPop, createTicket } from '#tests/support/pop.ts'
import { call, db } from '#tests/support/test-worker.ts'

/** A network of two centres, one of them with a public address, and a software member that is signed in. */
async function createClientNetworks() {
  const [member] = await createClients()
  const { main } = member!
  const seen = { remoteHost: '203.0.113.5', probePort: 4000 }
  const first = await createRouter(main.accountId, { lans: ['192.168.10.1/24'], state: seen })
  const second = await createRouter(main.accountId, { lans: ['192.168.20.1/24'] })
  const number = await createNetwork(main, [first, { ...member!, hub: '' }])
  const added = await main.call(networkApi.addMember, {
    network_number: number,
    router_name: second.name,
    member_type: 'center',
  })
  expect(added).toMatchObject({ code: 200 })
  const { access_token } = (await clientLogin(member!.name)).data
  return { member: member!, main, first, second, number, token: access_token }
}

describe('network 2 · client/profile', () => {
  it('has the networks and what each is dialled by, in one round trip', async () => {
    const { main, member, first, second, number, token } = await createClientNetworks()
    const reply = await readProfile(token)
    expect(reply).toMatchObject({ code: 200, trips: 1, data: { router_name: member.name } })
    const [network] = reply.data.networks
    expect(network).toMatchObject({
      network_number: number,
      network_status: 1,
      msg: '',
      dial: { mode: 1, ciphers: 'default' },
    })
    const servers = network!.dial!.servers
    expect(servers.map(({ router_name }) => router_name).toSorted()).toEqual([first.name, second.name].toSorted())
    const dialled = servers.find(({ router_name }) => router_name === first.name)!
    expect(dialled).toMatchObject({ kind: 'center', proto: 'udp', remotes: [{ host: '203.0.113.5' }] })
    expect(dialled.routes).toContain('192.168.10.0/24')
    expect(servers.find(({ router_name }) => router_name === second.name)!.remotes).toEqual([])
    await main.call(networkApi.fixedPort, {
      network_number: number,
      router_name: second.name,
      software_service: { public_ip: '198.51.100.7', public_port: 31194, static_port: 31194 },
    })
    await main.call(networkApi.softwareMode, { network_number: number, router_name: member.name, mode: 2 })
    await main.call(networkApi.editRouting, {
      network_number: number,
      type: 2,
      main_router: second.name,
      secondary_router: first.name,
    })
    const after = (await readProfile(token)).data.networks[0]!.dial!
    expect(after.mode).toBe(2)
    expect(after.servers[0]).toMatchObject({
      router_name: second.name,
      remotes: [{ host: '198.51.100.7', port: 31194 }],
    })
  })

  it('names the segments that each server leads to: its own, and those of the points', async () => {
    const { main, first, second, number, token } = await createClientNetworks()
    const point = await createRouter(main.accountId, { lans: ['192.168.30.1/24'] })
    await main.call(networkApi.addMember, { network_number: number, router_name: point.name, member_type: 'point' })
    const { servers } = (await readProfile(token)).data.networks[0]!.dial!
    const routes = Object.fromEntries(servers.map((server) => [server.router_name, server.routes]))
    expect(routes).toEqual({
      [first.name]: ['192.168.10.0/24', '192.168.30.0/24'],
      [second.name]: ['192.168.20.0/24', '192.168.30.0/24'],
    })
  })

  it('lists the nodes of its main and backup area, behind or before the centres as its mode says', async () => {
    const { main, member, first, second, number, token } = await createClientNetworks()
    const pops = [await createPop(), await createPop()] as const
    const ticket = await createTicket(main, number, pops, { [pops[1].id]: [member.name] })
    await call(opsApi.startNetworkTicket, { number: ticket })
    await call(opsApi.completeNetworkTicket, { number: ticket })
    const dial = async () => {
      const { code, trips, data } = await readProfile(token)
      expect({ code, trips }).toEqual({ code: 200, trips: 1 })
      return data.networks[0]!.dial!.servers
    }
    const names = async () => (await dial()).map(({ router_name }) => router_name)
    const centers = [first.name, second.name].toSorted()
    const [near, far] = [pops[1].node.name, pops[0].node.name]
    expect(await names()).toEqual([...centers, near])
    const areas = (await main.call(networkFrApi.ov, { network_number: number })).data
    const areaOf = ({ name }: { readonly name: string }) => areas.find((area) => area.name === name)!.id
    const ov = { ov_id_main: areaOf(pops[1]), ov_id_backup: areaOf(pops[0]) }
    await main.call(networkApi.memberOv, { network_number: number, router_name: member.name, ...ov })
    expect(await names()).toEqual([...centers, near, far])
    expect((await dial()).at(-1)).toMatchObject({ kind: 'pop', proto: 'udp' })
    await main.call(networkApi.softwareMode, { network_number: number, router_name: member.name, mode: 3 })
    expect(await names()).toEqual([near, far, ...centers])
  })

  it('says in words that a network is suspended, or no longer served', async () => {
    const { number, token } = await createClientNetworks()
    const { id } = await networkRow(number)
    await db.update(networks).set({ status: 0 }).where(eq(networks.id, id))
    const [suspended] = (await readProfile(token)).data.networks
    expect(suspended).toMatchObject({ network_status: 0, msg: '该组网因成员配额不足已停用，请联系管理员续费' })
    expect(suspended!.dial).not.toBeNull()
    await db.update(networks).set({ withdrawn: 1 }).where(eq(networks.id, id))
    const [gone] = (await readProfile(token)).data.networks
    expect(gone).toMatchObject({ msg: '该组网已停止服务，请联系管理员续费', dial: null })
  })
})
