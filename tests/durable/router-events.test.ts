import { runInDurableObject } from 'cloudflare:test'
import { expect, it, vi } from 'vitest'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import {
  type TestRouter,
  accountStub,
  createAccount,
  createHubNetwork,
  createHubRouter,
  connectOnlineDevice,
  networkStub,
  routerStub,
  until,
} from './support.ts'
import { linkId } from '#domain/network/members/links.ts'

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
      seenIn: [],
      presence,
      config,
      missing: [],
      unsupported: [],
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

it('hubs.md, Health · paths of members reach the account’s hub with each change of a link', async () => {
  const network = await createHubNetwork(1)
  const [point, center] = [network.points[0]!, network.center]
  const devices = [await connectOnlineDevice(center), await connectOnlineDevice(point)]
  await networkStub(network).refresh()
  const pathsOf = async (...names: string[]) =>
    (await accountStub(network).routerPaths([network.hub, 'default.none'], names)) as Record<string, object>
  const report = (up: boolean) => {
    for (const device of devices)
      device.send({ t: 'links', links: [{ id: linkId(network.number, point.name, center.name), up, rtt_ms: 8 }] })
  }
  const become = (up: number) =>
    until(async () => {
      const known = (await pathsOf(point.name))[network.hub] as Record<string, { up: number }> | undefined
      return known?.[point.name]?.up === up ? true : undefined
    })
  report(true)
  await become(1)
  expect(await pathsOf(point.name, center.name, 'constructor')).toEqual({
    [network.hub]: {
      [point.name]: { up: 1, unknown: 0, total: 1, single_center: 0 },
      [center.name]: { up: 1, unknown: 0, total: 1, single_center: 0 },
    },
  })
  report(false)
  await become(0)
  // As an earlier release left it: the next read of the overview or a list asks the network again.
  await runInDurableObject(accountStub(network), (_, { storage }) => void storage.sql.exec('DELETE FROM network_paths'))
  expect(await pathsOf(point.name)).toEqual({})
  const members = { online: 2, reconnecting: 0, flapping: 0, unreadable: 0, offline: 0, never: 0, disabled: 0 }
  await accountStub(network).health({ networks: [{ hub: network.hub, revision: 1, members }], since: null })
  await become(0)
  await accountStub(network).networkChanged({ hub: network.hub, report: null })
  expect(await pathsOf(point.name)).toEqual({})
})
