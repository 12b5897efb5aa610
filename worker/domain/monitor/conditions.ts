import type { ServiceKind } from '#contract/account/services.ts'
import type { NetworkSummary, PopProblem } from '#contract/kernel/health.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import type { AlertRule } from '#contract/monitor/alert.ts'
import type { AccountHubRpc, DirectoryTrouble, StateMove } from '#contract/kernel/hubs.ts'
import type { ConfigView, PresenceState } from '#contract/kernel/protocol.ts'
import { STOPS_AT_EXPIRY } from '#domain/account/service.ts'
import { faultyLinksText } from '#domain/health/link-causes.ts'
import { isConfigTrouble, stableState } from '#domain/health/member.ts'
import { type AlertState, type Condition, isOfMany, networkObject } from './state.ts'

/* Alert conditions from changes: presence and configuration of routers, POP connections, directory sync, service terms. */

const TROUBLE_LABEL: Readonly<Record<DirectoryTrouble['kind'], string>> = {
  stop: '等待确认',
  failed: '连续失败',
  certificate: '服务器证书即将过期',
}

/** Conditions of a rule that last: pending ones, alerts, and those within an alert of many. */
const listKnown = ({ pending, alerts, children }: AlertState, rule: AlertRule) =>
  [...pending.values(), ...alerts.values(), ...children.values()].filter(
    (known) => known.rule === rule && !isOfMany(known.object),
  )

/** Ends of known conditions of a rule that are no longer among the bad ones. */
function listEnds(state: AlertState, rule: AlertRule, bad: readonly Condition[], now: number): Condition[] {
  const objects = new Set(bad.map(({ object }) => object))
  return listKnown(state, rule)
    .filter(({ object }) => !objects.has(object))
    .map(({ object, label, networks }) => ({ rule, object, label, networks, isBad: false, at: now, reason: '' }))
}

/** Conditions of the directory: present troubles, and known ones that are over. */
export function directoryConditions(
  state: AlertState,
  troubles: readonly DirectoryTrouble[],
  now: number,
): readonly Condition[] {
  const bad = troubles.map(({ kind, at, reason }): Condition => {
    return { rule: 'directory_sync', object: kind, label: TROUBLE_LABEL[kind], networks: [], isBad: true, at, reason }
  })
  return [...listEnds(state, 'directory_sync', bad, now), ...bad]
}

export type RouterChange = Pick<
  Parameters<AccountHubRpc['routerChanged']>[0],
  'routerName' | 'seenIn' | 'presence' | 'config'
>

/** Alert conditions of a router's change. `moves` are transitions not yet evaluated, oldest first. */
export function routerConditions(change: RouterChange, moves: readonly StateMove[], now: number): readonly Condition[] {
  const { routerName: object, seenIn: networks, presence, config } = change
  const subject = { object, label: object, networks }
  const lastContact = presence.state === 'offline' ? presence.last_seen : null
  const ofState = (state: PresenceState, at: number, reason: string): Condition[] => [
    {
      ...subject,
      rule: 'router_offline',
      isBad: state === 'offline',
      at,
      ...(at === presence.since && lastContact !== null && { startedAt: lastContact }),
      reason,
    },
    { ...subject, rule: 'flapping', isBad: state === 'flapping', at, reason },
  ]
  const ofMove = ({ from, to, at, reason }: StateMove): Condition[] => [
    // First, so that the return of a member whose absence is an alert is reported as its recovery.
    ...(to === 'online' && (from === 'flapping' || from === 'unreadable')
      ? []
      : [{ ...subject, rule: 'router_online' as const, isBad: to === 'online', at, reason }]),
    ...ofState(to, at, reason),
  ]
  const newest = ofState(stableState(presence.state), presence.since ?? now, presence.reason)
  return [...moves.flatMap(ofMove), ...newest, ...ofConfig(config, subject, now)]
}

/** A configuration that is still being delivered gives no condition. */
function ofConfig(
  { state, at, reason }: ConfigView,
  subject: Pick<Condition, 'object' | 'label' | 'networks'>,
  now: number,
) {
  const isBad = isConfigTrouble(state)
  if (!isBad && state !== 'applied' && state !== 'none') return []
  return [{ ...subject, rule: 'config_failed' as const, isBad, at: at ?? now, reason }]
}

/** Term of a service, as its row says it. */
export interface ServiceTerm {
  readonly id: number
  readonly kind: ServiceKind
  readonly name: string
  readonly expireAt: number
}

/** Ids of services whose end is an open or pending alert. */
export const endedServices = (state: AlertState): readonly number[] =>
  listKnown(state, 'service_expired').map(({ object }) => serviceOf(object).id)

function serviceOf(object: string): Pick<ServiceTerm, 'id' | 'expireAt'> {
  const [id, expireAt] = object.split(':').map(Number)
  return { id: id ?? 0, expireAt: expireAt ?? 0 }
}

/** Ends of services, and the ends of these conditions: the service was renewed or removed. `known` are rows of `endedServices`. */
export function serviceConditions(
  state: AlertState,
  { ended, known }: { readonly ended: readonly ServiceTerm[]; readonly known: readonly ServiceTerm[] },
  now: number,
): readonly Condition[] {
  const isOver = (object: string): boolean => {
    const { id, expireAt } = serviceOf(object)
    const row = known.find((one) => one.id === id)
    return row === undefined || row.expireAt > expireAt
  }
  const over = listKnown(state, 'service_expired')
    .filter(({ object }) => isOver(object))
    .map(({ object, label, networks }) => ({
      rule: 'service_expired' as const,
      object,
      label,
      networks,
      isBad: false,
      at: now,
      reason: '',
    }))
  const bad = ended.map(({ id, kind, name, expireAt }): Condition => ({
    rule: 'service_expired',
    object: `${id}:${expireAt}`,
    label: name,
    networks: [],
    isBad: true,
    at: expireAt,
    reason: STOPS_AT_EXPIRY[kind],
  }))
  return [...over, ...bad]
}

/** Conditions of a network's POP connections: those that are cut, and known ones that are over. */
export function popConditions(
  state: AlertState,
  number: string,
  problems: readonly PopProblem[],
  now: number,
): readonly Condition[] {
  const bad = problems.map(({ node, members, reason, since }): Condition => ({
    rule: 'pop_connect',
    object: `${number}/${node}`,
    label: `POP节点（${members}个成员）`, // the alert names the area: nodes' names are the operator's
    networks: [number],
    isBad: true,
    at: since ?? now,
    reason,
  }))
  const over = listEnds(state, 'pop_connect', bad, now).filter(({ object }) => object.startsWith(`${number}/`))
  return [...bad, ...over]
}

/**
 * Conditions of centres that their points do not reach, in all networks together, of networks whose links fail although
 * no such centre explains it, and the ends of known suspicions.
 */
export function suspicionConditions(
  { pending, alerts, children }: AlertState,
  networks: readonly { readonly number: string; readonly summary: NetworkSummary }[],
  now: number,
): readonly Condition[] {
  const causes = networks.flatMap(({ number, summary }) =>
    (summary.causes ?? []).map((cause) => ({ ...cause, number })),
  )
  const names = new Set(
    causes.filter(({ role, isPartial }) => role === 'center' && !isPartial).map(({ routerName }) => routerName),
  )
  const ofCenters = [...names].flatMap((object): Condition[] => {
    const own = causes.filter(({ routerName }) => routerName === object)
    const links = own.reduce((sum, { down, oneSided }) => sum + down + oneSided, 0)
    const checked = networks.reduce((sum, { summary }) => sum + (summary.checked?.[object] ?? 0), 0)
    if (links * 100 < checked * HEALTH.causePercent) return []
    const at = Math.min(...own.map(({ since }) => since ?? now))
    const reason = faultyLinksText(
      own.reduce((sum, { down }) => sum + down, 0),
      links,
    )
    const subject = { object, label: object, networks: own.map(({ number }) => number) }
    return [{ ...subject, rule: 'router_offline', isBad: true, isSuspected: true, at, reason }]
  })
  const explained = new Set(ofCenters.flatMap((condition) => condition.networks))
  const rest = networks.filter(({ number }) => !explained.has(number))
  const bad = [...ofCenters, ...rest.flatMap(({ number, summary }) => networkSuspicion(number, summary, now))]
  const objects = new Set(bad.map(({ object }) => object))
  const over = [...pending.values(), ...alerts.values(), ...children.values()]
    .filter(({ isSuspected, object }) => isSuspected === true && !objects.has(object))
    .map(({ rule, object, label, networks: seenIn }): Condition => {
      return { rule, object, label, networks: seenIn, isBad: false, isSuspected: true, at: now, reason: '' }
    })
  return [...over, ...bad]
}

/** Most links of the network fail, and they are not those of a site, a point or a POP node. */
function networkSuspicion(
  number: string,
  { causes = [], problems, checked, health }: NetworkSummary,
  now: number,
): readonly Condition[] {
  const own = causes.filter(({ role }) => role === 'center' || role === 'network')
  const single = problems.filter(({ kind }) => kind !== 'single_center')
  const down =
    own.reduce((sum, cause) => sum + cause.down, 0) + single.filter(({ kind }) => kind === 'link_down').length
  const links = own.reduce((sum, cause) => sum + cause.down + cause.oneSided, 0) + single.length
  const most = Math.max(HEALTH.causeSymptoms, ((checked?.[''] ?? Infinity) * HEALTH.causePercent) / 100)
  if (own.length === 0 || links < most || health.state === 'down') return []
  const at = Math.min(...own.map(({ since }) => since ?? now))
  const subject = { object: networkObject(number), label: number, networks: [number] }
  const reason = faultyLinksText(down, links)
  return [{ ...subject, rule: 'router_offline', isBad: true, isSuspected: true, at, reason }]
}
