import type { Parsed } from '#contract/kernel/endpoint.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import type { saasApi } from '#contract/saas/index.ts'
import { SAAS } from '#contract/saas/limits.ts'
import { isOnline } from '#domain/health/member.ts'
import { parseInterfaces } from '#domain/router/interfaces.ts'
import { type StateRow, toPresenceView } from '#domain/router/presence.ts'
import { type BandwidthTerm, bandwidthInForce, maxBandwidth } from './bandwidth.ts'
import { DAY_MS } from '#contract/kernel/time.ts'

/* Wire view of a SaaS device, and the time range of its history. */

interface SoldDevice extends BandwidthTerm {
  readonly router_name: string
  readonly note: string
  readonly note_revision: number
  readonly group: string
  readonly share: 0 | 1
  readonly shared: 0 | 1
  readonly ownMax: number
  readonly poolMax: number | null
  readonly poolName: string
  readonly interfaces: string
  readonly state: StateRow | null
}

/** All addresses towards the carrier and in tunnels (directory 3). */
const addressesOf = (interfaces: string): string[] => [
  ...new Set(
    parseInterfaces(interfaces)
      .filter(({ role, ip }) => (role === 'wan' || role === 'tunnel') && ip !== '')
      .map(({ ip }) => ip),
  ),
]

export function toDeviceView(device: SoldDevice, now: number) {
  const presence = toPresenceView(device.state)
  return {
    router_name: device.router_name,
    note: device.note,
    note_revision: device.note_revision,
    group: device.group,
    shared: device.shared,
    presence,
    online: toWireBoolean(isOnline(presence)),
    ip: addressesOf(device.interfaces),
    share: device.share,
    bandwidth: device.bandwidth,
    max_bandwidth: maxBandwidth(device.ownMax, device.poolMax),
    current_bandwidth: bandwidthInForce(device, now),
    expire_date: device.expireAt,
    temp_bandwidth: device.tempBandwidth,
    temp_start_date: device.tempStartAt,
    temp_expire_date: device.tempExpireAt,
    pool_name: device.poolName,
  }
}

type RequestedRange = Pick<Parsed<typeof saasApi.traffic>, 'start_date' | 'end_date'>

/** Requested range, `defaultMs` long without a start, never beyond now. */
export function toHistory({ start_date, end_date }: RequestedRange, defaultMs: number, now: number) {
  const to = Math.min(end_date === undefined ? now : end_date + 1, now)
  return { from: Math.min(start_date ?? to - defaultMs, to), to }
}

/** Directory 9: history covers today and the 180 days before it. A page that is some minutes old may still ask. */
export const checkHistory = ({ from }: { readonly from: number }, now: number): Violation | null =>
  from < now - (SAAS.historyDays + 1) * DAY_MS ? violation('HISTORY_TOO_OLD') : null
