import { abortAllDurableObjects } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { HealthAnswer } from '#contract/kernel/hubs.ts'
import { routers } from '#db/schema/routers.ts'
import { networkMembers, networks } from '#db/schema/networks.ts'
import { db } from '#tests/support/test-worker.ts'
import { DEVICE_SETTING_KEYS } from '#domain/network/compile/device-settings.ts'
import { JOB_CAPABILITIES } from '#domain/network/members/jobs.ts'
import {
  type TestAccount,
  type TestNetwork,
  type TestRouter,
  accountStub,
  connectOnlineDevice,
  createHubNetwork,
  readNow,
  routerStub,
  selectState,
  until,
} from './support.ts'

const ask = (account: TestAccount, since: number | null) =>
  accountStub(account).health({ networks: [], since }) as Promise<HealthAnswer>

describe('hubs.md, Health · devices too old for a setting', () => {
  const unsupportedOf = async (account: TestAccount) => (await ask(account, 0)).unsupported
  const setCiphers = async (network: TestNetwork, ciphers: 'default' | 'sm') => {
    await db.update(networks).set({ ciphers }).where(eq(networks.id, network.id))
    for (const router of [network.center, ...network.points]) await readNow(routerStub(router))
  }
  const expectUnsupported = (network: TestNetwork, expected: Record<string, readonly string[]>) =>
    until(async () => (JSON.stringify(await unsupportedOf(network)) === JSON.stringify(expected) ? true : undefined))

  it('are known while their document uses it, over restarts too, and no longer once they carry it', async () => {
    const network = await createHubNetwork(2)
    const { center, points } = network
    const [point, away] = [points[0]!, points[1]!]
    await connectOnlineDevice(center, { capabilities: ['report', 'ciphers:sm'] })
    await connectOnlineDevice(point, { capabilities: ['report'] })
    await setCiphers(network, 'default')
    expect(await unsupportedOf(network)).toEqual({})
    await setCiphers(network, 'sm')
    await expectUnsupported(network, { [point.hub]: ['ciphers:sm'] })
    await abortAllDurableObjects()
    expect(await unsupportedOf(network)).toEqual({ [point.hub]: ['ciphers:sm'] })
    expect((await ask(network, null)).unsupported).toEqual({})
    await connectOnlineDevice(away, {}) // a hello of the first release
    await expectUnsupported(
      network,
      Object.fromEntries([point, away].map(({ hub }) => [hub, ['ciphers:sm']]).toSorted()),
    )
    await connectOnlineDevice(point, { capabilities: ['report', 'ciphers:sm'] })
    await expectUnsupported(network, { [away.hub]: ['ciphers:sm'] })
    await setCiphers(network, 'default')
    await expectUnsupported(network, {})
  })

  it('fail in the rows too, so that lists count them with the overview; not one that is away', async () => {
    const network = await createHubNetwork(2)
    const [point, away] = [network.points[0]!, network.points[1]!]
    const configOf = async (router: TestRouter) => {
      const row = await selectState(router)
      return { state: row?.configState, reason: row?.configReason }
    }
    const expectConfig = (router: TestRouter, expected: object) =>
      until(async () => (JSON.stringify(await configOf(router)) === JSON.stringify(expected) ? true : undefined))
    const tooOld = { state: 'failed', reason: '设备版本过旧，不支持国密（SM4）' }
    await connectOnlineDevice(network.center, { capabilities: ['report', 'ciphers:sm'] })
    await connectOnlineDevice(point, { capabilities: ['report'] })
    await setCiphers(network, 'sm')
    await expectConfig(point, tooOld)
    expect(await routerStub(point).traffic()).toMatchObject({ config: tooOld })
    expect(await configOf(network.center)).not.toMatchObject({ state: 'failed' })
    expect(await configOf(away)).toEqual({ state: 'queued', reason: '' })
    await setCiphers(network, 'default')
    await expectConfig(point, { state: 'pushing', reason: '' })
  })

  it('are known before their document uses it, for the choice of a setting', async () => {
    const network = await createHubNetwork(2)
    const [point, never] = [network.points[0]!, network.points[1]!]
    const others = DEVICE_SETTING_KEYS.filter((key) => key !== 'ciphers:sm')
    const hubs = [network.center.hub, point.hub, never.hub]
    await connectOnlineDevice(network.center, { capabilities: ['report', ...JOB_CAPABILITIES, ...DEVICE_SETTING_KEYS] })
    await connectOnlineDevice(point, { capabilities: ['report', ...JOB_CAPABILITIES, ...others] })
    const missing = async () => accountStub(network).missingSettings(hubs) as Promise<Record<string, readonly string[]>>
    await until(async () => ((await missing())[point.hub] ? true : undefined))
    expect(await missing()).toEqual({ [point.hub]: ['ciphers:sm'] })
    expect(await unsupportedOf(network)).toEqual({})
    await connectOnlineDevice(point, { capabilities: ['report', ...JOB_CAPABILITIES, ...DEVICE_SETTING_KEYS] })
    await until(async () => ((await missing())[point.hub] === undefined ? true : undefined))
  })

  it('are forgotten with their router at the next read of the account', async () => {
    const network = await createHubNetwork()
    const [point] = network.points
    await connectOnlineDevice(point!)
    await setCiphers(network, 'sm')
    await expectUnsupported(network, { [point!.hub]: ['ciphers:sm'] })
    await db.delete(networkMembers).where(eq(networkMembers.routerId, point!.routerId))
    await db.delete(routers).where(eq(routers.id, point!.routerId))
    await accountStub(network).refresh()
    expect(await unsupportedOf(network)).toEqual({})
  })
})
