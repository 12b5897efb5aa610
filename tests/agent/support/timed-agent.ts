import { expect } from 'vitest'
import type { HubFrame } from '#contract/kernel/protocol.ts'
import type { AgentPorts } from '#infra/agent/agent.ts'
import { heldCode } from '#infra/agent/hub/activation-code.ts'
import type { Machine } from '#infra/agent/machine/machine.ts'
import type { Prober } from '#infra/agent/probe/prober.ts'
import { memoryStore } from '#infra/agent/store.ts'
import { SERIAL, startAgent, testMachine } from './agents.ts'
import { FakeClock, flushPromises } from './fake-clock.ts'
import { FakeSockets } from './fake-socket.ts'

export const WELCOME: HubFrame = {
  t: 'welcome',
  epoch: 1,
  server_time: 0,
  heartbeat_s: 25,
  spread_s: 45,
  desired: null,
}

interface HarnessOptions {
  readonly random?: number
  readonly machine?: Partial<Machine>
  readonly linkCounters?: AgentPorts['linkCounters']
  readonly trunkCounters?: AgentPorts['trunkCounters']
  readonly openProber?: (clock: FakeClock) => Promise<Prober>
}

/** An agent on made-up time over sockets in memory, welcomed. */
export async function createHarness({
  random = 0.5,
  machine = {},
  linkCounters,
  trunkCounters,
  openProber,
}: HarnessOptions = {}) {
  const clock = new FakeClock()
  const sockets = new FakeSockets()
  const server = 'http://127.0.0.1:9' // nothing listens there: explanations are not to be had
  const { agent, lines } = await startAgent(server, {
    clock,
    random: () => random,
    openSocket: sockets.open,
    activationCode: heldCode(null),
    store: memoryStore(),
    prober: openProber ? await openProber(clock) : null,
    machine: { ...testMachine(SERIAL, clock), ...machine },
    ...(linkCounters && { linkCounters }),
    ...(trunkCounters && { trunkCounters }),
  })
  const emitFrame = async (frame: HubFrame) => {
    sockets.last.events.message(JSON.stringify(frame))
    await flushPromises()
  }
  /** The n-th socket is asked for (signing its token takes real time) and taken. */
  let taken = 0
  const welcome = async () => {
    taken = Math.max(taken + 1, sockets.all.length)
    await expect.poll(() => sockets.all.length, { interval: 2 }).toBe(taken)
    sockets.last.events.opened()
    await flushPromises()
    await emitFrame(WELCOME)
    await clock.advance(1)
  }
  await welcome()
  return { agent, lines, clock, sockets, emitFrame, welcome }
}
