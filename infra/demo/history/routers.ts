import { createHash } from 'node:crypto'
import type { Absence, PastDial, RouterHistory, TrafficHistory } from '#contract/local/history.ts'
import type { InterfaceInfo } from '#contract/kernel/protocol.ts'
import { MINUTE_MS } from '#contract/kernel/time.ts'
import { macOf } from '#infra/agent/machine/machine.ts'
import { bytesBetween, type Profile } from '#infra/simulator/traffic.ts'
import { PEAK_MBPS, createProfile } from '#infra/simulator/virtual-device.ts'
import type { Story } from './story.ts'

/* Histories of the demo's devices: connections, traffic by the profile that their simulator goes on with, dials. Pure. */

const STEP_MS = 5 * MINUTE_MS
/** The rate of a profile changes little within this time. */
const SAMPLE_MS = 10_000
/** Peak of a real agent, which counts what this machine does. */
const REAL_PEAK_MBPS = 1
/** Devices were claimed one after the other. */
const CLAIM_MS = 3 * MINUTE_MS

/** Device with a past, in the order of claims; one that never came has no `version`. */
export interface PastDevice {
  readonly serial: string
  readonly isReal: boolean
  readonly version: string | null
  readonly interfaces: readonly InterfaceInfo[]
}

/** Histories by serial of the devices that ever came. */
export function createHistories(
  story: Story,
  devices: readonly PastDevice[],
  dials: ReadonlyMap<string, readonly PastDial[]>,
): Readonly<Record<string, RouterHistory>> {
  const sinceOf = (index: number) => story.setupAt + (index + 10) * CLAIM_MS
  const peers = Object.fromEntries(
    devices.map(({ serial, version }, i): [string, Absence[]] => {
      const to = version === null ? Number.MAX_SAFE_INTEGER : sinceOf(i)
      return [serial, [{ from: 0, to, silent: false }, ...(story.absences[serial] ?? [])]]
    }),
  )
  return Object.fromEntries(
    devices.flatMap((device, i) => {
      const { serial, version, interfaces } = device
      if (version === null) return []
      const isUpgraded = serial === story.upgraded
      const absences = (story.absences[serial] ?? []).map((one) => ({ ...one, ...(isUpgraded && { version }) }))
      const history: RouterHistory = {
        since: sinceOf(i),
        absences,
        peers,
        device: {
          remote_host: publicAddress(serial),
          remote_port: 40_000 + i,
          version: isUpgraded ? EARLIER_VERSION : version,
          mac: macOf(interfaces),
          interfaces: [...interfaces],
        },
        traffic: createTraffic(story, device, absences),
        dials: [...(dials.get(serial) ?? [])],
      }
      return [[serial, history]]
    }),
  )
}

const EARLIER_VERSION = '0.0.9'

/** Address of 203.0.113.0/24 (RFC 5737), as the WAN of a virtual device has. */
const publicAddress = (serial: string): string =>
  `203.0.113.${((createHash('sha256').update(serial).digest()[8] ?? 0) % 253) + 1}`

/** Received and sent bytes of WAN and LANs, which is what a virtual device counts. A real LAN here counts nothing. */
function createTraffic(
  { from, now }: Story,
  { serial, isReal, interfaces }: PastDevice,
  absences: readonly Absence[],
): TrafficHistory {
  const profile: Profile = createProfile(serial, isReal ? REAL_PEAK_MBPS : PEAK_MBPS)
  const lans = isReal ? [] : interfaces.filter(({ role }) => role === 'lan')
  const steps = Array.from({ length: Math.floor((now - from) / STEP_MS) }, (_, i): [number, number] | null => {
    const [start, end] = [from + i * STEP_MS, from + (i + 1) * STEP_MS]
    if (absences.some((absence) => absence.from < end && start < absence.to)) return null
    const passed = (direction: 'down' | 'up') => Math.round(bytesBetween(profile, direction, start, end, SAMPLE_MS))
    return [passed('down'), passed('up')]
  })
  const wan = interfaces.filter(({ role }) => role === 'wan').map((one) => [one.interface, steps] as const)
  const ofLan = steps.map((step): [number, number] | null =>
    step === null ? null : [Math.round(step[1] / lans.length), Math.round(step[0] / lans.length)],
  )
  return {
    from,
    step_ms: STEP_MS,
    interfaces: Object.fromEntries([...wan, ...lans.map((one) => [one.interface, ofLan] as const)]),
  }
}
