import { afterEach, expect, it, vi } from 'vitest'
import { HEALTH } from '../../worker/contract/limits.ts'
import { type TestRouter, accountStub, createAccount, createHubRouter, routerStub } from './support.ts'

afterEach(() => void vi.useRealTimers())

it('hubs.md, Health · transitions of one member are answered without those of others, the newest only', async () => {
  const account = await createAccount()
  const [router, other] = [await createHubRouter(account), await createHubRouter(account)]
  await routerStub(router).refresh()
  const { presence, config } = await routerStub(router).traffic()
  const now = Date.now()
  const add = ({ hub: routerHub, name }: TestRouter, ages: readonly number[]) =>
    accountStub(account).routerChanged({
      routerHub,
      routerName: name,
      networkNumbers: [],
      presence,
      config,
      moves: ages.map((age) => ({ from: 'online', to: 'offline', at: now - age, reason: String(age) })),
    })
  const newest = Array.from({ length: HEALTH.eventsShown }, (_, n) => n + 1)
  await add(router, [...newest, HEALTH.eventsShown + 1])
  await add(other, [5])
  const reasonsOf = async ({ hub }: TestRouter) =>
    (await accountStub(account).routerTransitions(hub)).map(({ reason }) => Number(reason))
  expect(await reasonsOf(router)).toEqual(newest)
  expect(await reasonsOf(other)).toEqual([5])
  vi.useFakeTimers({ toFake: ['Date'], now: now + HEALTH.transitionsMs })
  expect(await reasonsOf(router)).toEqual([])
})
