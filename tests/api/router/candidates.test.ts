import { describe, expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { EXCEPT_MAX } from '#contract/router/limits.ts'
import { createFleet, createMainAccount, createNetwork, createRouter, lanPort } from '#tests/support/fixtures.ts'

const namesOf = ({
  router,
  app,
}: {
  router: readonly { router_name: string }[]
  app: readonly { router_name: string }[]
}) => [...router, ...app].map(({ router_name }) => router_name)

/** Order of names in lists: text before the first number, the number, then the whole name. */
function byFirstNumber(a: string, b: string): number {
  const [one, other] = [a, b].map((name) => /^(\D*)(\d*)/.exec(name)!)
  const text = (x = '', y = '') => (x < y ? -1 : x > y ? 1 : 0)
  return text(one![1], other![1]) || Number(one![2]) - Number(other![2]) || text(a, b)
}

describe('network 7 · members to choose from', () => {
  it('come by page, those of the named network first, or without them', async () => {
    const { main, routers, apps } = await createFleet({ hardware: 3, software: 2 })
    const sorted = (some: typeof routers) => some.map(({ name }) => name).toSorted(byFirstNumber)
    const inside = [routers[2]!, apps[1]!]
    const network_number = await createNetwork(main, inside)
    const others = [...sorted(routers.slice(0, 2)), apps[0]!.name]
    const first = await main.call(routerApi.member, { network_number, limit: 3 })
    expect(first).toMatchObject({ trips: 1, count: 5, kinds: { hardware: 3, software: 2 }, states: { never: 5 } })
    expect(namesOf(first.data).toSorted()).toEqual([...sorted(inside), others[0]].toSorted())
    const second = await main.call(routerApi.member, { network_number, limit: 3, page: 2 })
    expect(namesOf(second.data)).toEqual(others.slice(1))
    const outside = await main.call(routerApi.member, { network_number, outside: 1 })
    expect([outside.count, namesOf(outside.data)]).toEqual([3, others])
  })

  it('leave out those that a caller names, who count nowhere', async () => {
    const { main, routers } = await createFleet({ hardware: 4, software: 1 })
    const [a, b, ...rest] = routers.map(({ name }) => name)
    const reply = await main.call(routerApi.member, { except: [a!, b!], kind: 'hardware' })
    expect(reply).toMatchObject({ trips: 1, count: 2, kinds: { hardware: 2, software: 1 }, states: { never: 2 } })
    expect(namesOf(reply.data).toSorted()).toEqual(rest.toSorted())
    const many = Array.from({ length: EXCEPT_MAX + 1 }, (_, i) => `X${i}`)
    expect(await main.call(routerApi.member, { except: many })).toMatchObject({ code: 422 })
  })

  it('are found by kind, state and a segment behind them', async () => {
    const main = await createMainAccount()
    const make = (segment: string, presence: 'online' | 'offline') =>
      createRouter(main.accountId, { state: { presence, interfaces: JSON.stringify([lanPort(segment, 0)]) } })
    const [a, b] = [await make('10.68.1.1/24', 'online'), await make('10.68.2.1/24', 'offline')]
    const find = async (input: object) => namesOf((await main.call(routerApi.member, input)).data)
    expect(await find({ search: '10.68.1.0/24' })).toEqual([a.name])
    expect(await find({ search: '68.2' })).toEqual([b.name])
    expect(await find({ search: '10.68.0.0/16' })).toHaveLength(2)
    expect(await find({ search: '68.1.0.0' })).toEqual([])
    expect(await find({ state: 'offline' })).toEqual([b.name])
    expect(await find({ kind: 'software' })).toEqual([])
    const { count, kinds, states } = await main.call(routerApi.member, { kind: 'hardware', state: 'online' })
    expect([count, kinds, states.offline]).toEqual([1, { hardware: 2, software: 0 }, 1])
  })

  it('come by name and by network, and never from another account', async () => {
    const { main, routers, apps } = await createFleet({ hardware: 3, software: 1 })
    const stranger = await createFleet({ hardware: 1, software: 0 })
    const foreign = await createNetwork(stranger.main, [stranger.routers[0]!])
    const network_number = await createNetwork(main, [routers[0]!, apps[0]!])
    const reply = await main.call(routerApi.choices, {
      router_name: [routers[1]!.name.toLowerCase(), stranger.routers[0]!.name],
      network_number: [network_number, foreign],
    })
    expect(reply).toMatchObject({ code: 200, trips: 1, data: { unknown: [stranger.routers[0]!.name] } })
    expect(namesOf(reply.data).toSorted()).toEqual([routers[0]!, routers[1]!, apps[0]!].map((r) => r.name).toSorted())
    expect((await main.call(networkApi.info, { network_number })).data.revision).toBe(1)
  })
})
