import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { createFleet, createNetwork } from '#tests/support/fixtures.ts'
import { createPop } from '#tests/support/pop.ts'
import { call, refusal } from '#tests/support/test-worker.ts'

/** An account of the operator's own: one of its routers is a node. */
async function createHolder() {
  const { main, routers } = await createFleet()
  const pop = await createPop({ withNode: false })
  const network = await createNetwork(main, routers.slice(0, 2))
  const node = routers[2]!
  await call(opsApi.popNode, { name: pop.name, serial: node.name })
  return { main, routers, network, node, pop }
}

describe('network 2 · nodes of POP areas are the operator’s devices', () => {
  it('are not offered as members', async () => {
    const { main, node, routers } = await createHolder()
    const { data } = await main.call(routerApi.member, {})
    const names = JSON.stringify(data)
    expect(names).toContain(routers[1]!.name)
    expect(names).not.toContain(node.name)
  })

  it('join no network, not even of the account that holds them', async () => {
    const { main, node, routers, network } = await createHolder()
    const unknown = { reason: 'ROUTER_NOT_FOUND' }
    const add = { network_number: network, router_name: node.name, member_type: 'point' } as const
    expect(await main.call(networkApi.addMember, add)).toMatchObject(unknown)
    const plan = { network_name: '网', center: [routers[0]!.name], point: [node.name] }
    expect(await main.call(networkApi.create, plan)).toMatchObject(unknown)
    expect(await main.call(networkApi.edit, { ...plan, network_number: network })).toMatchObject(unknown)
  })

  it('are neither deleted nor replaced', async () => {
    const { main, node } = await createHolder()
    const refused = refusal('POP_NODE_KEPT', { name: node.name })
    expect(await main.call(routerApi.delete, { router_name: node.name })).toMatchObject(refused)
    expect(await main.call(routerApi.batchDelete, { router_name: [node.name] })).toMatchObject(refused)
    const replacement = { router_name: node.name, username: 'NL99X001', code: '1234-5678' }
    expect(await main.call(routerApi.replace, replacement)).toMatchObject(refused)
  })

  it('areas are offered that have one which takes networks', async () => {
    const { main, network, pop, node } = await createHolder()
    const without = await createPop({ withNode: false })
    const offered = async () =>
      (await main.call(networkApi.ticketConfig, { type: 1001, network_number: network })).data.ticket.pop.map(
        ({ value }) => value,
      )
    expect(await offered()).toContain(pop.id)
    expect(await offered()).not.toContain(without.id)
    await call(opsApi.popNode, { name: pop.name, serial: node.name, status: 0 })
    expect(await offered()).not.toContain(pop.id)
  })
})
