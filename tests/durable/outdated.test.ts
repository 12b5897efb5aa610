import { describe, expect, it } from 'vitest'
import { PROTOCOL_LEAST } from '#contract/kernel/hub-limits.ts'
import {
  type TestRouter,
  askHealth,
  connectDevice,
  connectOnlineDevice,
  counters,
  createHello,
  createHubNetwork,
  isFrame,
  readNow,
  routerStub,
  selectState,
  until,
} from './support.ts'

const TOO_OLD = { protocol: PROTOCOL_LEAST - 1 }
/** Document that a device was given before its hub forgot it. */
const OTHER = { version: 1, hash: '0'.repeat(64) }
const REASON = expect.stringMatching(/^需要升级/)

const shown = async (router: TestRouter) => (await routerStub(router).traffic()).config
const stateOf = async (router: TestRouter, state: string) =>
  until(async () => ((await shown(router)).state === state ? true : undefined))

/** A point that runs its document, as a device of today and then of an earlier protocol. */
async function createPoint() {
  const { points, ...network } = await createHubNetwork(1)
  const router = points[0]!
  await readNow(routerStub(router))
  const device = await connectOnlineDevice(router)
  const { version, hash } = await device.next(isFrame('config'))
  device.send({ t: 'config_result', version, hash, state: 'confirmed' })
  await stateOf(router, 'applied')
  return { network, router, applied: { version, hash } }
}

describe('hubs.md, Connect · a device of a protocol that the service no longer speaks', () => {
  it('gets the least protocol with its welcome, keeps its configuration and stays online; the pages say 需要升级', async () => {
    const { router, applied, network } = await createPoint()
    const old = await connectDevice(router)
    old.send(createHello(router, { ...TOO_OLD, applied }))
    expect(await old.next(isFrame('welcome'))).toMatchObject({ least_protocol: PROTOCOL_LEAST, desired: applied })
    await stateOf(router, 'failed')
    expect(await shown(router)).toMatchObject({ reason: REASON, applied_version: applied.version })
    await until(async () => ((await selectState(router))?.configState === 'failed' ? true : undefined))
    expect(await selectState(router)).toMatchObject({ presence: 'online', configReason: REASON })
    const health = () => askHealth(network, { networks: [], since: 0 })
    await until(async () => ((await health()).unsupported[router.hub] ? true : undefined))
    expect((await health()).unsupported).toEqual({ [router.hub]: ['protocol'] })

    // a frame that nobody can read any longer is ignored, one that can be read counts
    old.send(JSON.stringify({ t: 'links', links: 'of another form' }))
    old.send({ ...counters(1, 1, 1), applied } as never)
    await routerStub(router).resend()
    expect(await routerStub(router).requestReport()).toBe(true)
    old.send(createHello(router, { ...TOO_OLD, applied }))
    await old.next((frame) => frame.t === 'welcome', old.frames.length)
    expect(old.frames.filter(({ t }) => t !== 'welcome')).toEqual([])
    expect(old.closed).toBeNull()
  })

  it('gets what it missed once it is upgraded', async () => {
    const { router, applied } = await createPoint()
    const old = await connectDevice(router)
    old.send(createHello(router, { ...TOO_OLD, applied: OTHER }))
    await old.next(isFrame('welcome'))
    expect(old.frames.filter(isFrame('config'))).toEqual([])
    await routerStub(router).resend()
    const device = await connectOnlineDevice(router, { applied: OTHER })
    expect(device.frames.find(isFrame('welcome'))).not.toHaveProperty('least_protocol')
    const pushed = await device.next(isFrame('config'))
    expect(pushed.hash).toBe(applied.hash)
    device.send({ t: 'config_result', version: pushed.version, hash: pushed.hash, state: 'confirmed' })
    await stateOf(router, 'applied')
    expect((await shown(router)).reason).toBe('')
  })
})
