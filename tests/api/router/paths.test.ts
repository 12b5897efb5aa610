import { describe, expect, it } from 'vitest'
import type { MemberPaths } from '#contract/kernel/health.ts'
import { routerApi } from '#contract/router/index.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import { createFleet, createMainAccount, createNetwork, createSubAccount, networkRow } from '#tests/support/fixtures.ts'
import { createTestWorker, refusal } from '#tests/support/test-worker.ts'

const paths = (up: number, total: number, single_center: 0 | 1 = 0): MemberPaths => ({
  up,
  unknown: 0,
  total,
  single_center,
})

/** The worker with an account hub that knows these paths by network and member. */
function workerWith(known: Readonly<Record<string, Readonly<Record<string, MemberPaths>>>>) {
  const fake = fakeHubs({ 'account.routerPaths': () => known })
  return { calls: fake.calls, worker: createTestWorker({ hubs: fake.hubs }) }
}

describe('design 8 · router/paths', () => {
  it('adds up the paths of a member over its networks, in one round trip and one call', async () => {
    const { main, routers } = await createFleet({ centers: 2 })
    const [center, a, b, alone] = routers
    const [first, second] = [await createNetwork(main, [center!, a!]), await createNetwork(main, [b!, a!])]
    const [one, two] = [await networkRow(first), await networkRow(second)]
    const { worker, calls } = workerWith({
      [one.hub]: { [center!.name]: paths(1, 1), [a!.name]: paths(1, 1) },
      [two.hub]: { [a!.name]: paths(1, 2, 1) },
    })
    const names = [center!.name, a!.name, alone!.name]
    const reply = await worker.call(routerApi.paths, { router_name: names.join() }, main.token)
    expect(reply).toMatchObject({ code: 200, trips: 1 })
    expect(reply.data).toEqual({
      [center!.name]: paths(1, 1),
      [a!.name]: paths(2, 3, 1),
      [alone!.name]: paths(0, 0),
    })
    expect(calls).toEqual([
      {
        kind: 'account',
        hub: main.hub,
        method: 'routerPaths',
        args: [expect.arrayContaining([one.hub, two.hub]), names],
      },
    ])
  })

  it('are not known where one of the networks has not pushed, or the hub does not answer', async () => {
    const { main, routers } = await createFleet({ centers: 2 })
    const [center, a] = routers
    await createNetwork(main, [center!, a!])
    const ask = (worker: ReturnType<typeof createTestWorker>) =>
      worker.call(routerApi.paths, { router_name: a!.name }, main.token)
    expect((await ask(workerWith({}).worker)).data).toEqual({ [a!.name]: null })
    const broken = () => {
      throw new Error('overloaded')
    }
    const silent = createTestWorker({ hubs: fakeHubs({ 'account.routerPaths': broken }).hubs })
    expect((await ask(silent)).data).toEqual({ [a!.name]: null })
  })

  it('knows only the members and networks of the caller’s role', async () => {
    const { main, routers } = await createFleet({ centers: 2 })
    const [center, shared, hidden] = routers
    const own = await createNetwork(main, [center!, shared!])
    const other = await createNetwork(main, [hidden!, shared!])
    const sub = await createSubAccount(main, { networks: [own] })
    const [{ hub }, { hub: hiddenHub }] = [await networkRow(own), await networkRow(other)]
    const known = { [hub]: { [shared!.name]: paths(1, 1) }, [hiddenHub]: { [shared!.name]: paths(0, 1) } }
    const { worker, calls } = workerWith(known)
    const ask = (token: string, ...names: string[]) =>
      worker.call(routerApi.paths, { router_name: names.join() }, token)
    expect((await ask(sub.token, shared!.name, hidden!.name)).data).toEqual({ [shared!.name]: paths(1, 1) })
    expect(calls[0]?.args[0]).toEqual([hub])
    expect(await ask(sub.token, hidden!.name)).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    expect(await ask((await createMainAccount()).token, shared!.name)).toMatchObject(refusal('ROUTER_NOT_FOUND'))
    expect(await ask(main.token, ...Array<string>(101).fill('x'))).toMatchObject({ code: 422 })
  })
})
