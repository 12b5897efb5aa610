import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { ROUTER_OUTBOX } from '#contract/kernel/hub-limits.ts'
import { holdTimers, stopClock } from './clock.ts'
import {
  type DeviceSocket,
  connectOnlineDevice,
  createHello,
  createHubNetwork,
  createIdentity,
  isFrame,
  later,
  routerStub,
  selectState,
  type TestRouter,
  until,
  useRouter,
} from './support.ts'

const { router, stub, presence, storedState, logLines } = useRouter()
describe('hubs.md, State outbox · database', () => {
  it('may be away while a transition is written: nothing is lost, and repeats add nothing', async () => {
    const run = vi.spyOn(env.DB!, 'batch')
    await stub().refresh()
    run.mockRejectedValue(new Error('D1_ERROR: overloaded'))
    const line = await connectOnlineDevice(router)
    line.socket.close(1000)
    await until(async () => ((await presence()).state === 'reconnecting' ? true : undefined))
    later(20_000)
    await runDurableObjectAlarm(stub())
    run.mockRestore()
    expect(await logLines()).toEqual([])
    later(400_000)
    await runDurableObjectAlarm(stub())
    await runDurableObjectAlarm(stub())
    await until(async () => ((await logLines()).length === 2 ? true : undefined))
    expect((await logLines()).map(({ online }) => online)).toEqual([1, 0])
    expect((await storedState())?.presence).toBe('offline')
  })

  it('may lose the answer of a write that it has stored', async () => {
    const batch = env.DB!.batch.bind(env.DB)
    await stub().refresh()
    const run = vi.spyOn(env.DB!, 'batch').mockImplementation(async (statements) => {
      await batch(statements)
      throw new Error('D1_ERROR: Network connection lost.')
    })
    await connectOnlineDevice(router)
    await until(async () => (run.mock.calls.length > 0 ? true : undefined))
    run.mockRestore()
    later(400_000)
    await runDurableObjectAlarm(stub())
    await runInDurableObject(stub(), async (_, state) => {
      await until(() => {
        const outbox = state.storage.kv.get<{ saved: number; change: number }>('outbox')!
        return outbox.saved === outbox.change ? true : undefined
      })
    })
    expect((await logLines()).filter(({ online }) => online === 1)).toHaveLength(1)
    expect(createIdentity(router).serial).toBe(router.name)
  })
})

describe('hubs.md, State outbox · rate', () => {
  /** Hellos that use up the flushes of the window; only the timer of an urgent change may fire. */
  async function useUp(device: DeviceSocket, of: TestRouter): Promise<void> {
    holdTimers(ROUTER_OUTBOX.urgentMs + 1)
    const isWaiting = () => runInDurableObject(routerStub(of), (hub) => hub['outbox']['next'] !== null)
    for (let n = 1; !(await isWaiting()); n++) {
      device.send(createHello(of, { mac: `mac ${n}` }))
      await until(() =>
        runInDurableObject(routerStub(of), (hub) => hub['state'].device?.mac === `mac ${n}` || undefined),
      )
    }
  }

  it('a change of presence waits for no other save', async () => {
    stopClock()
    const device = await connectOnlineDevice(router)
    await useUp(device, router)
    device.socket.close(1000, 'bye')
    await until(async () => ((await storedState())?.presence === 'reconnecting' ? true : undefined), 5_000)
    expect((await presence()).state).toBe('reconnecting')
  })

  it('a document that the device has confirmed waits for no other save', async () => {
    stopClock()
    const point = (await createHubNetwork(1)).points[0]!
    const device = await connectOnlineDevice(point)
    const { version, hash } = await device.next(isFrame('config'))
    await useUp(device, point)
    device.send({ t: 'config_result', version, hash, state: 'confirmed' })
    await until(async () => ((await selectState(point))?.configState === 'applied' ? true : undefined), 5_000)
    expect((await routerStub(point).traffic()).config.state).toBe('applied')
  })
})
