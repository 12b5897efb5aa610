import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { networks } from '#db/schema/networks.ts'
import {
  createSubAccount,
  createFleet,
  createNetwork,
  selectAudits,
  toHubs,
  networkRow,
  refreshed,
} from '#tests/support/fixtures.ts'
import { db, hubCalls, refusal } from '#tests/support/test-worker.ts'

describe('network 7 · network/delete', () => {
  it('deletes the network and leaves its members', async () => {
    const { main, routers, apps } = await createFleet()
    const number = await createNetwork(main, [...routers.slice(0, 2), apps[0]!])
    const { id, hub } = await networkRow(number)
    const since = hubCalls.length
    expect(await main.call(networkApi.delete, { network_number: number })).toMatchObject({
      code: 200,
      msg: '删除成功',
      trips: 2,
    })
    expect(refreshed(since)).toEqual(toHubs(routers[0], routers[1]))
    const names = { center: [routers[0]!.name], point: [routers[1]!.name, apps[0]!.name] }
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({
      message: '删除组网“测试网”',
      before: JSON.stringify({ network_name: '测试网', ...names }),
    })
    expect(hubCalls.slice(since)).toContainEqual({ kind: 'network', hub, method: 'remove', args: [] })
    expect(await db.select().from(networks).where(eq(networks.id, id))).toEqual([])
    expect(await main.call(networkApi.delete, { network_number: number })).toMatchObject(refusal('NETWORK_NOT_FOUND'))
    expect(await main.call(networkApi.config, {})).toMatchObject({ data: { network_router_use: 0 } })
  })
})

describe('network 7 · network/re_send_config', () => {
  it('calls the hub of each hardware member, or of the given one', async () => {
    const { main, routers, apps } = await createFleet()
    const [a, b] = routers
    const number = await createNetwork(main, [a!, b!, apps[0]!])
    const resent = async (router_name?: string) => {
      const since = hubCalls.length
      const reply = await main.call(networkApi.reSendConfig, {
        network_number: number,
        ...(router_name && { router_name }),
      })
      const hubs = hubCalls
        .slice(since)
        .filter((call) => call.method === 'resend')
        .map((call) => call.hub)
        .toSorted()
      return { code: reply.code, msg: reply.msg, reason: reply.reason, trips: reply.trips, hubs }
    }
    expect(await resent()).toEqual({ code: 200, msg: '已重新下发', trips: 2, hubs: toHubs(a, b) })
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({
      message: '重新下发组网“测试网”的配置，共2个成员',
      after: '{"router_name":"*"}',
    })
    expect(await resent(b!.name)).toMatchObject({ code: 200, hubs: [b!.hub] })
    expect(await resent(apps[0]!.name)).toMatchObject({ ...refusal('HARDWARE_ONLY'), hubs: [] })
    expect(await resent(routers[2]!.name)).toMatchObject({ ...refusal('MEMBER_NOT_IN_NETWORK'), hubs: [] })
  })

  it('requires the edit permission', async () => {
    const { main, routers } = await createFleet()
    const number = await createNetwork(main, [routers[0]!])
    const viewer = await createSubAccount(main, { flags: ['network:create'] })
    expect(await viewer.call(networkApi.reSendConfig, { network_number: number })).toMatchObject(
      refusal('PERMISSION_DENIED'),
    )
  })
})
