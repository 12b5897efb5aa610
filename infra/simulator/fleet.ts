import { join } from 'node:path'
import type { JWK } from 'jose'
import { z } from 'zod'
import { heldCode } from '#infra/agent/hub/activation-code.ts'
import { Agent } from '#infra/agent/agent.ts'
import { systemClock } from '#infra/agent/clock.ts'
import { openWebSocket } from '#infra/agent/agent-socket.ts'
import { DeviceIdentity } from '#infra/agent/hub/identity.ts'
import { type Log, silentLog } from '#infra/agent/log.ts'
import { type Prober, openProber } from '#infra/agent/probe/prober.ts'
import { type Store, folderStore, memoryStore } from '#infra/agent/store.ts'
import { faults, faultySocket } from './faults.ts'
import { type VirtualRouter, virtualAnswers } from './virtual-answers.ts'
import { virtualDials } from './virtual-dials.ts'
import { virtualFlows } from './virtual-flows.ts'
import { virtualLinkCounters, virtualTrunkCounters } from './virtual-links.ts'
import { PEAK_MBPS, createProfile, virtualMachine, memoryDriver } from './virtual-device.ts'
import type { DirectoryAccess } from '#infra/agent/tunnel/tunnels.ts'

/* Fleet of virtual routers in this process: real agents over the real protocol, with synthetic machines. */

export const fleetDevice = z.strictObject({
  serial: z.string().min(1).max(64),
  /** Activation code; not needed with a `key` that is already registered. */
  code: z.string().optional(),
  /** Private key of the device, an Ed25519 JWK. */
  key: z.custom<JWK>((value) => typeof value === 'object' && value !== null).optional(),
  model: z.string().default('VR-100'),
  lan: z.array(z.string()).default([]),
  peakMbps: z.number().positive().default(PEAK_MBPS),
  faults: faults.optional(),
})
type FleetDevice = z.input<typeof fleetDevice>

export interface FleetOptions {
  readonly server: string
  readonly devices: readonly FleetDevice[]
  /** Folder that keeps keys and documents over restarts; absent: they are lost at exit. */
  readonly state?: string | undefined
  /** False: no UDP; link states remain unknown. */
  readonly probes?: boolean
  /** Rate of new connections at the start, so that a large fleet does not connect at once. */
  readonly startsPerSecond?: number
  /** Random number in [0, 1) for delays; a smaller range brings the fleet back sooner after a restart. */
  readonly random?: () => number
  readonly log?: (serial: string) => Log
  /** Access of every device to directories in its network. */
  readonly directories?: DirectoryAccess
}

export interface Fleet {
  readonly agents: readonly { readonly serial: string; readonly agent: Agent }[]
  stop(): Promise<void>
}

export const VERSION = '0.1.0-virtual'
const BATCH_MS = 100

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { devices, state, probes = true, startsPerSecond = 200 } = options
  const prober = probes ? await openProber(0, await createStore(state), systemClock, silentLog) : null
  const perBatch = Math.max(Math.floor((startsPerSecond * BATCH_MS) / 1000), 1)
  const agents: Fleet['agents'][number][] = []
  const running = new Map<string, () => VirtualRouter | null>()
  for (const [i, device] of devices.entries()) {
    if (i > 0 && i % perBatch === 0) await new Promise((resolve) => setTimeout(resolve, BATCH_MS))
    agents.push({ serial: device.serial, agent: await startOne(device, options, prober, running) })
  }
  return {
    agents,
    async stop() {
      await Promise.all(agents.map(({ agent }) => agent.stop()))
      prober?.close()
    },
  }
}

/** @param running documents of the fleet's devices that are connected, by serial. */
async function startOne(
  device: FleetDevice,
  fleet: FleetOptions,
  prober: Prober | null,
  running: Map<string, () => VirtualRouter | null>,
): Promise<Agent> {
  const { serial, code = null, key, model, lan, peakMbps, faults: injected } = fleetDevice.parse(device)
  const store = await createStore(fleet.state, serial)
  if (key) await DeviceIdentity.adopt(store, serial, key)
  const driver = memoryDriver()
  const profile = createProfile(serial, peakMbps)
  const agent = await Agent.start(
    { servers: [fleet.server], serial, activationCode: heldCode(code), version: VERSION },
    {
      clock: systemClock,
      random: fleet.random ?? Math.random,
      machine: virtualMachine({ serial, model, lan, peakMbps }, systemClock),
      driver,
      linkCounters: virtualLinkCounters(profile, systemClock, driver.running),
      trunkCounters: virtualTrunkCounters(profile, systemClock, driver.running),
      store,
      openSocket: injected ? faultySocket(openWebSocket, injected, systemClock, Math.random) : openWebSocket,
      fetch,
      prober,
      answers: virtualAnswers(
        serial,
        () => [...running.values()].flatMap((read) => read() ?? []),
        (name) => fleet.devices.some((device) => device.serial === name),
      ),
      dials: virtualDials(serial, systemClock, Math.random),
      flows: virtualFlows(serial, lan[0] ?? '192.168.1.0/24', profile, systemClock),
      log: fleet.log?.(serial) ?? silentLog,
      ...(fleet.directories && { directories: fleet.directories }),
    },
  )
  running.set(serial, () => {
    const document = agent.isUp ? driver.running() : null
    return document && { name: document.router_name, document }
  })
  return agent
}

/** Store in the fleet's folder. It keeps the probe port, so that points of a virtual centre need no new document. */
const createStore = (state: string | undefined, ...below: string[]): Promise<Store> =>
  state === undefined ? Promise.resolve(memoryStore()) : folderStore(join(state, ...below))
