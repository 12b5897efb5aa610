import { expect } from 'vitest'
import { AGENT } from '#contract/kernel/hub-limits.ts'
import type { ConnectionPorts } from '#infra/agent/hub/hub-connection.ts'
import { heldCode } from '#infra/agent/hub/activation-code.ts'
import { Agent, type AgentOptions, type AgentPorts } from '#infra/agent/agent.ts'
import { systemClock } from '#infra/agent/clock.ts'
import { openWebSocket } from '#infra/agent/agent-socket.ts'
import type { Machine } from '#infra/agent/machine/machine.ts'
import { type Store, memoryStore } from '#infra/agent/store.ts'
import { virtualMachine, memoryDriver } from '#infra/simulator/virtual-device.ts'
import { type FakeDevice, FakeHub, type FakeHubOptions } from './fake-hub.ts'

export const SERIAL = 'NL-P'

/** The service at one address. */
export const ONE_ADDRESS: ConnectionPorts['addresses'] = {
  current: 'http://127.0.0.1:9',
  patienceMs: AGENT.connectMs,
  next: () => false,
  startOver: () => {},
}

export interface TestAgent {
  readonly agent: Agent
  readonly lines: string[]
  readonly store: Store
}

type Overrides = Partial<AgentOptions> & Partial<AgentPorts>

export const testMachine = (serial = SERIAL, clock = systemClock): Machine =>
  virtualMachine({ serial, model: 'TEST', lan: ['10.13.0.0/24'], peakMbps: 10 }, clock)

export async function startAgent(server: string, over: Overrides = {}): Promise<TestAgent> {
  const lines: string[] = []
  const store = over.store ?? memoryStore()
  const serial = over.serial ?? SERIAL
  const agent = await Agent.start(
    {
      servers: [server],
      serial,
      activationCode: heldCode('CODE'),
      version: 'test',
      ...over,
    },
    {
      clock: systemClock,
      random: () => 0.1,
      machine: testMachine(serial),
      driver: memoryDriver(),
      openSocket: openWebSocket,
      fetch,
      prober: null,
      log: (line) => lines.push(line),
      ...over,
      store,
    },
  )
  return { agent, lines, store }
}

const closers: (() => unknown)[] = []

/** Registers a clean-up for the end of the test; they run last first. */
export const atEnd = (close: () => unknown): void => void closers.push(close)

export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).toReversed()) await close()
}

export async function createHub(options: FakeHubOptions = {}): Promise<FakeHub> {
  const hub = await new FakeHub({ codes: { [SERIAL]: 'CODE', 'NL-C': 'CODE' }, ...options }).start()
  atEnd(() => hub.stop())
  return hub
}

export async function createAgent(hub: FakeHub, over: Overrides = {}): Promise<TestAgent> {
  const started = await startAgent(hub.url, over)
  atEnd(() => started.agent.stop())
  return started
}

/** The hub's end of the n-th connection, once its hello was received. */
export async function connected(hub: FakeHub, devices = 1): Promise<FakeDevice> {
  await expect.poll(() => hub.devices.length).toBe(devices)
  await expect.poll(() => hub.last.frames.length).toBeGreaterThan(0)
  return hub.last
}
