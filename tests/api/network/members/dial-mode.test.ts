import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { createFleet, createNetwork, createSubAccount, refreshed } from '#tests/support/fixtures.ts'
import { hubCalls, refusal } from '#tests/support/test-worker.ts'

/** A centre, a point and a software member. */
async function createMixedNetwork() {
  const { main, routers, apps } = await createFleet()
  const [center, point, app] = [routers[0]!, routers[1]!, apps[0]!]
  const network_number = await createNetwork(main, [center, point, app])
  return { main, point, app, network_number, since: hubCalls.length }
}

describe('network 2 · dial mode of software members', () => {
  it('is theirs alone, and no device has it', async () => {
    const { main, app, point, network_number, since } = await createMixedNetwork()
    const set = (router_name: string, mode: 1 | 2 | 3) =>
      main.call(networkApi.softwareMode, { network_number, router_name, mode, revision: 0 })
    expect(await set(app.name, 2)).toMatchObject({ code: 200, msg: '设置成功', trips: 2 })
    expect(refreshed(since)).toEqual([])
    const { data } = await main.call(networkApi.info, { network_number })
    expect(data.member.find((m) => m.router_name === app.name)?.mode).toBe(2)
    expect(await set(app.name, 3)).toMatchObject(refusal('SETTING_CHANGED'))
    expect(await set(point.name, 2)).toMatchObject(refusal('SOFTWARE_ONLY'))
  })

  it('is set by a role that edits the network, and by no other', async () => {
    const { main, app, network_number } = await createMixedNetwork()
    const input = { network_number, router_name: app.name, mode: 2 } as const
    const editor = await createSubAccount(main, { flags: ['network:edit'], networks: [network_number] })
    const viewer = await createSubAccount(main, { flags: ['router:edit'] })
    const limited = await createSubAccount(main, { flags: ['network:edit'], networks: [] })
    expect(await viewer.call(networkApi.softwareMode, input)).toMatchObject(refusal('PERMISSION_DENIED'))
    expect(await limited.call(networkApi.softwareMode, input)).toMatchObject(refusal('NETWORK_NOT_FOUND'))
    expect(await editor.call(networkApi.softwareMode, input)).toMatchObject({ code: 200 })
  })
})
