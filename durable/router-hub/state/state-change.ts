import { lanNetworks } from '#domain/router/interfaces.ts'
import { isSameJson } from '#contract/kernel/same-json.ts'
import { presenceView } from './presence.ts'
import { missingCapabilities, shownConfig } from './shown-config.ts'
import type { DeviceFacts, RouterState } from './storage.ts'

/** Whether the LANs that a device declares have changed; a port that goes up or down counts as well. */
export const areLansMoved = (before: DeviceFacts | null, after: DeviceFacts | null): boolean =>
  before?.interfaces !== after?.interfaces && lansOf(before) !== lansOf(after)

const lansOf = (device: DeviceFacts | null): string =>
  lanNetworks(device?.interfaces ?? [])
    .toSorted()
    .join(' ')

export const isEndpointMoved = (before: DeviceFacts | null, after: DeviceFacts | null): boolean =>
  endpointOf(before) !== endpointOf(after)

const endpointOf = (device: DeviceFacts | null): string =>
  device && device.probePort > 0 ? `${device.remoteHost} ${device.probePort}` : ''

/** Whether other hubs and viewers see a change. One of `last_seen` alone does not count: the next save includes it. */
export function isShownDifferent(before: RouterState, after: RouterState): boolean {
  const sources = ['presence', 'config', 'router', 'device'] as const
  if (sources.every((slice) => before[slice] === after[slice])) return false
  const shown = (s: RouterState) => [
    { ...presenceView(s.presence), last_seen: 0 },
    shownConfig(s),
    missingCapabilities(s),
  ]
  return !isSameJson(shown(before), shown(after))
}

/**
 * Whether only that moved what a device repeats on its next socket: a crash that loses it breaks the present one. So no
 * epoch, version or command may have moved.
 */
export const isRepeatedByDevice = (before: RouterState, after: RouterState): boolean =>
  before.presence === after.presence &&
  before.commands === after.commands &&
  before.config.version === after.config.version
