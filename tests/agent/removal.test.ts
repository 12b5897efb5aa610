import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../infra/agent/clock.ts'
import { Prober } from '../../infra/agent/probe/prober.ts'
import { CLOSE } from '../../worker/contract/protocol.ts'
import { createAgent, atEnd, closeAll, connected, createHub } from './support/agents.ts'
import { ConfigHarness } from './support/config-harness.ts'
import { KEY, configDocument, network, routerDocument } from './support/documents.ts'
import { type FakeHub, configFrame } from './support/fake-hub.ts'

afterEach(closeAll)

const UNCLAIMED = { code: 423, msg: '设备尚未被账号绑定' }
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
    return started.agent.running === null && record.confirmed === null && prober.reports('NL-P').length === 0
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

  it('empties itself when it was away and is refused as unclaimed', async () => {
    const hub = await createHub()
    const { device, lines, isEmpty } = await configured(hub)
    hub.refusal = UNCLAIMED
    device.socket.terminate()
    await expect.poll(isEmpty, { timeout: 8_000 }).toBe(true)
    expect(lines.join('\n')).toContain('not connected: 设备尚未被账号绑定')
    expect(lines.join('\n')).toMatch(NEXT_TRY_IN_MINUTES)
  })

  it('keeps its document while it is only disabled by a fault of the server', async () => {
    const hub = await createHub()
    const { device, agent } = await configured(hub)
    hub.refusal = { code: 500, msg: '服务异常' }
    device.socket.terminate()
    await expect.poll(() => hub.requests.length, { timeout: 8_000 }).toBeGreaterThan(1)
    expect(agent.running).not.toBeNull()
  })
})

describe('taking the configuration off', () => {
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
      expect([harness.device, harness.runner.running, harness.runner.holdsDocument]).toEqual([null, null, false])
      harness.kill()
      harness.device = configDocument(1).body // a driver that was cut off in the middle
      await harness.start()
      expect(harness.device).toBeNull()
    },
  )

  it('that fails is tried again with the next refusal', async () => {
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

  it('makes room for the document of the next account, whatever its version', async () => {
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
