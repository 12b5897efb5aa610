import { createHash, randomUUID } from 'node:crypto'
import type { RouterDocument } from '#contract/device/document.ts'
import type { Counters } from '#contract/device/counters.ts'
import type { InterfaceInfo } from '#contract/kernel/protocol.ts'
import { DEVICE_SETTING_KEYS } from '#domain/network/compile/device-settings.ts'
import type { Clock } from '#infra/agent/clock.ts'
import type { Driver } from '#infra/agent/drivers/driver.ts'
import { listNetworkTexts } from '#infra/agent/drivers/files-driver.ts'
import { declaredLan } from '#infra/agent/machine/declared-lan.ts'
import { interfaceUuid } from '#infra/agent/machine/ip-addr.ts'
import type { Machine } from '#infra/agent/machine/machine.ts'
import { type Direction, type Profile, bytesBetween } from './traffic.ts'

/* Hardware of a virtual router: a machine with synthetic interfaces and counters, and a driver in memory. */

export interface VirtualHardware {
  readonly serial: string
  readonly model: string
  /** Segments `a.b.c.d/n`; they become lan0, lan1, … */
  readonly lan: readonly string[]
  readonly peakMbps: number
}

const WAN = 'eth0'
/** Peak of a device that names none. */
export const PEAK_MBPS = 50

/** Traffic profile of a device, the same in every run. */
export const createProfile = (serial: string, peakMbps: number): Profile => ({
  seed: createHash('sha256').update(serial).digest().readUInt32BE(0),
  peakMbps,
})

/** Machine with addresses of 203.0.113.0/24 (RFC 5737) and counters that start at zero. */
export function virtualMachine({ serial, model, lan, peakMbps }: VirtualHardware, clock: Clock): Machine {
  const digest = createHash('sha256').update(serial).digest()
  const profile = createProfile(serial, peakMbps)
  const mac = (port: number) =>
    [0x02, ...digest.subarray(4, 8), port].map((b) => b.toString(16).padStart(2, '0')).join(':')
  const createPort = (name: string, segment: string, port: number): InterfaceInfo => {
    return { ...declaredLan(`${name}=${segment}`), interface_uuid: interfaceUuid(name, mac(port)), mac: mac(port) }
  }
  const address = `203.0.113.${((digest[8] ?? 0) % 253) + 1}/24`
  const wan: InterfaceInfo = { ...createPort(WAN, address, 0), protocol: 'dhcp', role: 'wan' }
  const lans = lan.map((segment, i) => createPort(`lan${i}`, segment, i + 1))
  const passed: Record<Direction, number> = { down: 0, up: 0 }
  let readAt = clock.now()

  return {
    model,
    bootId: randomUUID(), // counters live as long as this process
    interfaces: async () => [wan, ...lans],
    fingerprint: async () => serial,
    async counters() {
      const now = clock.now()
      for (const direction of ['down', 'up'] as const)
        passed[direction] += bytesBetween(profile, direction, readAt, now)
      readAt = now
      const counters: Counters = { [WAN]: { rx: Math.round(passed.down), tx: Math.round(passed.up) } }
      // Traffic that came in over the WAN went out to the LAN segments, in equal shares.
      const share = lans.length || 1
      for (const port of lans) {
        counters[port.interface] = { rx: Math.round(passed.up / share), tx: Math.round(passed.down / share) }
      }
      return counters
    },
  }
}

/** Driver that only keeps the document. */
export function memoryDriver(): Driver & { running(): RouterDocument | null } {
  let running: RouterDocument | null = null
  return {
    running: () => running,
    name: 'memory',
    settings: DEVICE_SETTING_KEYS,
    validate: async () => null,
    async stage(document) {
      const [before, next] = [listNetworkTexts(running), listNetworkTexts(document)]
      const numbers = new Set([...before.keys(), ...next.keys()])
      return {
        changed: [...numbers].filter((number) => before.get(number) !== next.get(number)).toSorted(),
        apply: async () => {
          running = document
        },
      }
    },
  }
}
