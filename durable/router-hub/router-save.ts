import { VPN } from '#contract/device/limits.ts'
import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { HubName } from '#contract/kernel/hubs.ts'
import { TUNNEL } from '#contract/kernel/tunnel-frames.ts'
import type { LinkRow, RouterSave } from '#contract/router/saves.ts'
import { isPresent } from '#domain/health/member.ts'
import { linkEnds } from '#domain/network/members/links.ts'
import { deviceEndpoints } from '#domain/router/endpoints.ts'
import type { StateRow } from '#features/router/sql/saves.ts'
import type { LinkPeriod } from './state/link-log.ts'
import { arePeersDue } from './state/outbox.ts'
import { presenceView } from './state/presence.ts'
import { shownConfig } from './state/state-change.ts'
import type { RouterFacts, RouterState } from './state/storage.ts'

/** The present state of a router's hub, with all lines, links and results that are not saved yet. */
export function toRouterSave(
  hub: HubName,
  state: RouterState & { readonly router: RouterFacts },
  now: number,
): RouterSave {
  const { router, outbox } = state
  const row = toStateRow(state)
  const isDue = arePeersDue(outbox, now)
  return {
    hub,
    accountId: router.accountId,
    routerName: router.routerName,
    state: { ...row },
    logs: outbox.logs,
    links: outbox.periods?.flatMap(toLinkRow) ?? [],
    results: outbox.results ?? [],
    isAway: !isPresent(row.presence),
    moved: {
      endpoint: isDue && outbox.endpointMoved,
      lans: isDue && outbox.lansMoved === true,
      carrier: isDue && outbox.vpnMoved === true,
    },
  }
}

function toStateRow({ router, ...state }: RouterState & { readonly router: RouterFacts }): StateRow {
  const shown = presenceView(state.presence)
  const pushed = shownConfig({ ...state, router })
  return {
    presence: shown.state,
    presenceSince: shown.since,
    presenceReason: shown.reason,
    live: shown.live === true ? 1 : 0,
    lastSeenAt: shown.last_seen,
    unreadableSince: null,
    ...deviceColumns(state.device),
    certificateRefusal: router.refusal?.reason ?? null,
    certificateRefusedAt: router.refusal?.at ?? null,
    configState: pushed.state,
    configVersion: pushed.version,
    configAppliedVersion: pushed.applied_version,
    configReason: pushed.reason,
    configAt: pushed.at,
    configConfirmedAt: state.config.confirmedAt,
    configRefused: JSON.stringify(state.config.refused),
  }
}

const deviceColumns = (device: RouterState['device']) => ({
  remoteHost: device?.remoteHost ?? null,
  endpoints: device && JSON.stringify(deviceEndpoints(device)),
  probePort: device?.probePort ?? null,
  version: device?.version ?? '',
  mac: device?.mac ?? '',
  interfaces: JSON.stringify(device?.interfaces ?? []),
  tunnel: hasCapability(device, TUNNEL.capability),
  vpn: hasCapability(device, VPN.capability),
  certificateRequest: device?.csr ?? null,
})

/** Null before the device has named its capabilities. */
const hasCapability = (device: RouterState['device'], name: string) =>
  device?.capabilities ? toWireBoolean(device.capabilities.includes(name)) : null

function toLinkRow({ id, ...period }: LinkPeriod): LinkRow[] {
  const ends = linkEnds(id)
  return ends ? [{ ...period, key: `${period.startAt}:${id}`, number: ends.number, server: ends.server }] : []
}
