import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { opsApi } from '#contract/ops/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { createFleet, createMainAccount, createNetwork, selectAudits } from '#tests/support/fixtures.ts'
import { call, hubCalls, refusal } from '#tests/support/test-worker.ts'

describe('design 1 · ops · members', () => {
  it('are disabled and enabled as by their account, into its log', async () => {
    const { main, routers } = await createFleet()
    const number = await createNetwork(main, [routers[0]!, routers[1]!])
    const target = { account: main.username, name: routers[1]!.name }
    const since = hubCalls.length
    expect(await call(opsApi.disableMember, target)).toMatchObject({ code: 200 })
    expect(hubCalls.slice(since).map(({ kind, method }) => [kind, method])).toEqual([
      ['router', 'refresh'],
      ['network', 'refresh'],
    ])
    expect((await main.call(routerApi.info, { router_name: routers[1]!.name })).data.status).toBe(0)
    expect((await selectAudits(main.accountId)).at(-1)).toMatchObject({
      actorKind: 'operator',
      module: 'router',
      action: 'update_status',
      message: `停用成员“${routers[1]!.name}”`,
    })
    expect(await call(opsApi.disableMember, target)).toMatchObject({ code: 200 })
    expect(await call(opsApi.enableMember, target)).toMatchObject({ code: 200 })
    expect((await main.call(networkApi.info, { network_number: number })).data.member).toHaveLength(2)
  })

  it('of another account, or of none, are not found', async () => {
    const { routers } = await createFleet()
    const stranger = await createMainAccount()
    const disable = (account: string) => call(opsApi.disableMember, { account, name: routers[0]!.name })
    expect(await disable(stranger.username)).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    expect(await disable('nobody01')).toMatchObject(refusal('ROUTER_NOT_FOUND'))
  })
})
