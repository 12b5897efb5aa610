import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '#infra/agent/clock.ts'
import { HubConnection } from '#infra/agent/hub/hub-connection.ts'
import type { Refusal } from '#infra/agent/hub/identity.ts'
import { Prober } from '#infra/agent/probe/prober.ts'
import { CLOSE, CLOSED_DISABLED } from '#contract/kernel/protocol.ts'
import { ONE_ADDRESS, createAgent, atEnd, closeAll, connected, createHub } from './support/agents.ts'
import { ConfigHarness } from './support/config-harness.ts'
import { KEY, configDocument, network, routerDocument } from './support/documents.ts'
import { FakeClock } from './support/fake-clock.ts'
import { type FakeHub, configFrame } from './support/fake-hub.ts'

afterEach(closeAll)

/** Refusals of a device without a row; the last one is of a service of an earlier release. */
const WITHOUT_ROW: readonly { code: number; msg: string; reason: string; data?: object }[] = [
  { code: 423, msg: '设备尚未被账号绑定', reason: 'DEVICE_UNBOUND' },
  { code: 503, msg: '服务正在恢复数据，请稍后重试', reason: 'DEVICES_HELD', data: { retry_after: 60 } },
  { code: 403, msg: '设备已从账号中移除', reason: 'DEVICE_REMOVED' },
  { code: 423, msg: '设备尚未被账号绑定', reason: 'DEVICE_UNCLAIMED' },
]
const NEXT_TRY_IN_MINUTES = /next try in (2[4-9]\d|3[0-5]\d)\./

async function configured(hub: FakeHub) {
  const prober = await Prober.open(0, { clock: systemClock, intervalMs: 50 })
  atEnd(() => prober.close())
  const started = await createAgent(hub, { prober })
  const device = await connected(hub)
  const end = {
    id: 'N1:NL-P>NL-C',
    peer: 'NL-C',
    role: 'client' as const,
    endpoint: { host: '127.0.0.1', port: 9 },
    key: KEY,
  }
  device.send(configFrame(1, routerDocument(network('N1', [end]))))
  await expect.poll(() => device.ofType('config_result').at(-1)?.state).toBe('confirmed')
  const isEmpty = async () => {
    const record = (await started.store.load('config')) as { confirmed: unknown }
    return started.agent.applied === null && record.confirmed === null && prober.reports('NL-P').length === 0
  }
  expect(await isEmpty()).toBe(false)
  return { ...started, device, isEmpty }
}

describe('a device whose router was deleted', () => {
  it('removes its configuration on close 4002, and reconnects minutes later', async () => {
    const { device, lines, isEmpty } = await configured(await createHub())
    device.socket.close(CLOSE.removed)
    await expect.poll(isEmpty).toBe(true)
    expect(lines.join('\n')).toMatch(NEXT_TRY_IN_MINUTES)
  })

  it('comes back within 30 s of being enabled: it tries so often while it is disabled', async () => {
    const { device, lines, isEmpty } = await configured(await createHub())
    device.socket.close(CLOSE.removed, CLOSED_DISABLED)
    await expect.poll(isEmpty).toBe(true)
    expect(lines.join('\n')).toMatch(/next try in (2\d|30)\.\d s/)
  })

  it.each<readonly [string, { code: number; msg: string; reason?: string; data?: object }]>([
    ...WITHOUT_ROW.map((refusal) => [refusal.reason, refusal] as const),
    ['disabled', { code: 403, msg: '设备已停用', reason: 'DEVICE_DISABLED' }],
    ['to be charged first, with the code of unclaimed', { code: 423, msg: '请先续费', reason: 'SOMETHING_FIRST' }],
    ['by a fault of the server', { code: 500, msg: '服务异常' }],
  ])('keeps its document while it is refused as %s', async (_, refusal) => {
    const hub = await createHub()
    const { device, agent, lines } = await configured(hub)
    hub.refusal = refusal
    device.socket.terminate()
    await expect.poll(() => lines.join('\n')).toContain(`not connected: ${refusal.msg}`)
    expect(agent.applied).not.toBeNull()
  })
})

describe('a device that was away when its router was deleted', () => {
  const OTHER = { message: '', isRestarting: false }

  interface Answer {
    /** Close code after the socket has opened; undefined: the upgrade is refused. */
    readonly code?: number
    readonly refusal?: Refusal | null
  }

  /** A connection that gets one answer at every try; `minutes` lets time pass and answers how often the device was emptied. */
  function answered() {
    const clock = new FakeClock()
    const state = { answer: {} as Answer, removals: 0, tries: 0 }
    new HubConnection({
      clock,
      addresses: ONE_ADDRESS,
      openSocket: (_, __, events) => {
        state.tries += 1
        const { code } = state.answer
        queueMicrotask(() => {
          if (code !== undefined) events.opened()
          events.closed(code ?? 1006, '')
        })
        return { send: () => {}, close: () => {}, bufferedAmount: () => 0 }
      },
      random: () => 0.5,
      log: () => {},
      authorize: async () => ({}),
      explain: async () => state.answer.refusal ?? null,
      opened: async () => {},
      frame: () => {},
      lost: () => {},
      removed: () => (state.removals += 1),
    }).start()
    const minutes = async (n: number, answer: Answer) => {
      state.answer = answer
      await clock.advance(n * 60_000)
      return state.removals
    }
    return { minutes, state }
  }

  it('empties itself at once when it is closed with 4002, and again every five minutes', async () => {
    const { minutes, state } = answered()
    expect(await minutes(1, { code: CLOSE.removed })).toBe(1)
    const { tries } = state
    expect(await minutes(11, { code: CLOSE.removed })).toBe(3)
    expect(state.tries - tries).toBe(2)
  })

  it('tries at least every 30 s for as long as it is refused as disabled', async () => {
    const { minutes, state } = answered()
    await minutes(1, { refusal: { ...OTHER, isDisabled: true } })
    const { tries } = state
    await minutes(60, { refusal: { ...OTHER, isDisabled: true } })
    expect(state.tries - tries).toBeGreaterThanOrEqual(120)
    expect(state.tries - tries).toBeLessThan(180)
  })

  it.each<readonly [string, Answer]>([
    ['a refusal, whatever its reason', { refusal: OTHER }],
    ['no answer', { refusal: null }],
    ['an answer of a proxy', { refusal: { message: '', isRestarting: true } }],
    ['503 with retry_after', { refusal: { ...OTHER, retryAfterMs: 60_000 } }],
    ['the close 1012 of a hub without a row', { code: CLOSE.restart }],
  ])('keeps its configuration for as long as it gets %s', async (_, answer) => {
    const { minutes } = answered()
    expect(await minutes(600, answer)).toBe(0)
  })

  it('waits as long as a service asks for that is not ready', async () => {
    const { minutes, state } = answered()
    await minutes(60, { refusal: { ...OTHER, retryAfterMs: 120_000 } })
    expect(state.tries).toBeGreaterThanOrEqual(29)
    expect(state.tries).toBeLessThanOrEqual(32)
  })
})

describe('the connection request', () => {
  it('says whether the device runs a configuration', async () => {
    const hub = await createHub()
    const { device } = await configured(hub)
    expect(hub.documents).toEqual([undefined])
    device.socket.terminate()
    await expect.poll(() => hub.documents).toEqual([undefined, '1'])
  })
})

describe('removal of the configuration', () => {
  it.each(['idle', 'on trial', 'offline'])(
    'leaves nothing on a device that is %s, and nothing over a restart',
    async (how) => {
      const harness = new ConfigHarness()
      await harness.start()
      await harness.welcome()
      await harness.offer(configDocument(1))
      if (how !== 'on trial') await harness.answer()
      if (how === 'offline') await harness.lose()
      void harness.runner.dispatch({ type: 'removed' })
      await harness.clock.advance(200_000)
      expect([harness.device, harness.runner.applied, harness.runner.holdsDocument]).toEqual([null, null, false])
      harness.kill()
      harness.device = configDocument(1).body // a driver that was cut off in the middle
      await harness.start()
      expect(harness.device).toBeNull()
    },
  )

  it('that fails is tried again with the next close', async () => {
    const harness = new ConfigHarness()
    await harness.start()
    await harness.welcome()
    await harness.offer(configDocument(1))
    await harness.answer()
    harness.breaksOn.add('')
    void harness.runner.dispatch({ type: 'removed' })
    await harness.clock.advance(1_000)
    expect(harness.device).not.toBeNull()
    harness.breaksOn.clear()
    void harness.runner.dispatch({ type: 'removed' })
    await harness.clock.advance(1_000)
    expect(harness.device).toBeNull()
  })

  it('lets a document of the next account apply, whatever its version', async () => {
    const harness = new ConfigHarness()
    await harness.start()
    await harness.welcome(7)
    await harness.offer(configDocument(7))
    await harness.answer()
    void harness.runner.dispatch({ type: 'removed' })
    await harness.clock.advance(1_000)
    await harness.welcome(1)
    await harness.offer(configDocument(1))
    await harness.answer()
    expect([harness.device, harness.confirmedVersion]).toEqual([configDocument(1).body, 1])
  })
})
