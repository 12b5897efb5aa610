import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkFrApi } from '#contract/network-fr/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { networks } from '#db/schema/networks.ts'
import { createFleet, createNetwork, createSubAccount, networkRow, selectAudits } from '#tests/support/fixtures.ts'
import { createPop, createTicket } from '#tests/support/pop.ts'
import { call, db, refusal } from '#tests/support/test-worker.ts'

async function createPopNetwork() {
  const { main, routers, apps } = await createFleet()
  const number = await createNetwork(main, [...routers.slice(0, 3), apps[0]!])
  const pops = [await createPop(), await createPop(), await createPop()]
  const ticket = await createTicket(main, number, pops)
  await call(opsApi.startNetworkTicket, { number: ticket })
  await call(opsApi.completeNetworkTicket, { number: ticket })
  const { data: areas } = await main.call(networkFrApi.ov, { network_number: number })
  const ovOf = async () => {
    const { data } = await main.call(networkApi.info, { network_number: number })
    return Object.fromEntries(data.member.map((m) => [m.router_name, { ...m.ov_id, revision: m.revisions['ov'] }]))
  }
  return { main, routers, apps, number, pops, areas, ovOf }
}

describe('network 5 · region assignment', () => {
  it('of one member, with a priority; the default is 3', async () => {
    const { main, routers, number, pops, areas, ovOf } = await createPopNetwork()
    const input = { network_number: number, router_name: routers[1]!.name, ov_id_main: areas[0]!.id }
    const saved = await main.call(networkApi.memberOv, { ...input, ov_id_backup: String(areas[1]!.id) })
    expect(saved).toMatchObject({ code: 200, msg: '设置成功', trips: 2 })
    expect((await ovOf())[routers[1]!.name]).toEqual({
      main: areas[0]!.id,
      main_name: pops[0]!.name,
      backup: areas[1]!.id,
      backup_name: pops[1]!.name,
      priority: 3,
      revision: 1,
    })
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({
      action: 'member_ov',
      message: '调整组网“测试网”中1个成员的POP区域',
    })
    await main.call(networkApi.memberOv, { ...input, ov_id_main: 0, priority: 1 })
    expect((await ovOf())[routers[1]!.name]).toMatchObject({ main: null, backup: null, priority: 1, revision: 2 })
  })

  it('of many in one batch, all or none', async () => {
    const { main, routers, apps, number, areas, ovOf } = await createPopNetwork()
    const row = (router_name: string, ov_id_main: number) => ({ router_name, ov_id_main })
    const members = [row(routers[0]!.name, areas[0]!.id), row(apps[0]!.name, areas[2]!.id)]
    const save = (list: typeof members) => main.call(networkApi.memberOv, { network_number: number, members: list })
    const unknown = await save([...members, row(routers[1]!.name, 999_999)])
    expect(unknown).toMatchObject(refusal('AREA_UNKNOWN'))
    expect((await ovOf())[routers[0]!.name]).toMatchObject({ main: null })
    expect(await save([...members, members[0]!])).toMatchObject({ reason: 'MEMBER_TWICE' })
    expect(await save(members)).toMatchObject({ code: 200, trips: 2 })
    const ov = await ovOf()
    expect([ov[routers[0]!.name], ov[apps[0]!.name]]).toMatchObject([{ main: areas[0]!.id }, { main: areas[2]!.id }])
    const { revision } = await networkRow(number)
    expect(await save(members)).toMatchObject({ code: 200, trips: 1 }) // nothing differs
    expect((await networkRow(number)).revision).toBe(revision)
  })

  it('refuses the same area twice, a stale edit and a member of another network', async () => {
    const { main, routers, number, areas } = await createPopNetwork()
    const input = { network_number: number, router_name: routers[1]!.name, ov_id_main: areas[0]!.id }
    const same = await main.call(networkApi.memberOv, { ...input, ov_id_backup: areas[0]!.id })
    expect(same).toMatchObject({ code: 422, msg: '主备区域不可选择相同的区域！' })
    await main.call(networkApi.memberOv, { ...input, revision: 0 })
    const stale = await main.call(networkApi.memberOv, { ...input, ov_id_main: areas[1]!.id, revision: 0 })
    expect(stale).toMatchObject(refusal('SETTING_CHANGED'))
    const outside = await main.call(networkApi.memberOv, { ...input, router_name: routers[3]!.name })
    expect(outside).toMatchObject(refusal('MEMBER_NOT_IN_NETWORK'))
    expect(await main.call(networkApi.memberOv, { network_number: number })).toMatchObject({ msg: '请选择成员' })
  })

  it('a suspended network only takes areas away', async () => {
    const { main, routers, number, areas } = await createPopNetwork()
    const input = { network_number: number, router_name: routers[1]!.name, ov_id_main: areas[0]!.id }
    await main.call(networkApi.memberOv, input)
    await db.update(networks).set({ status: 0 }).where(eq(networks.number, number))
    const other = await main.call(networkApi.memberOv, { ...input, ov_id_main: areas[1]!.id })
    expect(other).toMatchObject(refusal('NETWORK_SUSPENDED'))
    expect(await main.call(networkApi.memberOv, { ...input, ov_id_main: 0 })).toMatchObject({ code: 200 })
  })

  it('by a limited role in its own network only', async () => {
    const { main, routers, number, areas } = await createPopNetwork()
    const input = { network_number: number, router_name: routers[1]!.name, ov_id_main: areas[0]!.id }
    const own = await createSubAccount(main, { flags: ['network:edit'], networks: [number] })
    expect(await own.call(networkApi.memberOv, input)).toMatchObject({ code: 200 })
    const second = await createNetwork(main, routers.slice(3, 4), '二网')
    const other = await createSubAccount(main, { flags: ['network:edit'], networks: [second] })
    expect(await other.call(networkApi.memberOv, input)).toMatchObject(refusal('NETWORK_NOT_FOUND'))
  })
})

describe('network 9 · name of a network: 24 characters, 32 with a POP resource', () => {
  it('a long one is accepted unchanged by every call, also after the resource is gone', async () => {
    const { main, routers, number } = await createPopNetwork()
    const long = '长'.repeat(32)
    expect(await main.call(networkApi.name, { network_number: number, network_name: long })).toMatchObject({
      code: 200,
    })
    const tooLong = await main.call(networkApi.name, { network_number: number, network_name: `${long}长` })
    expect(tooLong).toMatchObject({ code: 422, msg: '网络名称不能超过32个字符' })
    const plan = { center: [routers[0]!.name], point: [routers[1]!.name] }
    const edited = await main.call(networkApi.edit, { network_number: number, network_name: long, ...plan })
    expect(edited).toMatchObject({ code: 200 })
    const plain = await createNetwork(main, routers.slice(3, 4), '二网')
    const refused = { code: 422, msg: '网络名称不能超过24个字符', data: { field: 'network_name' } }
    expect(await main.call(networkApi.name, { network_number: plain, network_name: long })).toMatchObject(refused)
    const other = { network_number: plain, network_name: long, center: [routers[3]!.name], point: [] }
    expect(await main.call(networkApi.edit, other)).toMatchObject(refused)
  })
})
