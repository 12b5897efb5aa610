import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { AttentionKind, AttentionRow, NetworkHealth, NetworkSummary } from '#contract/kernel/health.ts'
import type { HealthAnswer } from '#contract/kernel/hubs.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import { type FirstStep, type Overview, FIRST_STEP_TITLE, type overviewApi } from '#contract/overview/index.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { isOnDemand } from '#contract/kernel/states.ts'
import { type Results, batch } from '#db/batch.ts'
import type { AttentionMember, AttentionNetwork } from '#domain/health/attention-facts.ts'
import { limitRows, listAttention } from '#domain/health/attention.ts'
import { availability, presenceCurve } from '#domain/health/history.ts'
import { type StateCount, countStates } from '#domain/health/member.ts'
import { evaluateNetwork } from '#domain/health/network.ts'
import { contractOf, withSuspension } from '#domain/health/suspension.ts'
import { DEVICE_SETTING_KEYS } from '#domain/network/compile/device-settings.ts'
import { memberOverlaps } from '#domain/network/addresses/member-segments.ts'
import { isWithdrawn } from '#domain/network/members/membership.ts'
import { isReminded } from '#domain/account/service.ts'
import { firstSteps } from '#domain/overview/first-steps.ts'
import { type Ctx, requireSession, requireAccountId } from '#http/context.ts'
import { readHealth } from '#features/network/service.ts'
import { type OverviewNetwork, type OverviewRouter, toOverviewRows } from './rows.ts'
import { selectOverview, deleteDismissedSteps, insertDismissedSteps } from './sql.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { auditRow } from '#db/audit.ts'

/* Overview page (总览) of an account: health of networks and members, attention list, curve of presence, first steps. */

/** One read of the rows and one call of the account's hub, which asks networks whose summaries do not fit the rows. */
export async function overviewInfo(ctx: Ctx): Promise<Overview> {
  const { db, now } = ctx
  const scope = requireSession(ctx)
  const found = await batch(db, selectOverview(db, scope, now))
  const account = found.accounts[0] ?? refuse('SESSION_REVOKED')
  const { networks, routers } = toOverviewRows(found)
  const since = now - HEALTH.curveMs
  const questions = networks.map(({ hub, revision, members }) => ({ hub, revision, members: countStates(members) }))
  const answer = await readHealth(ctx, account.hub, { networks: questions, since })
  const evaluated = networks.map((network): EvaluatedNetwork => {
    const summary = toSummary(network, answer)
    return { ...network, ...summary, shown: withSuspension(summary.health, contractOf(network)) }
  })
  const isWhole = scope.grants.networks === null
  const attention = listAttention(
    {
      members: routers.map((router) => toAttentionMember(router, answer?.unsupported[router.hub] ?? [])),
      networks: evaluated.map(toAttentionNetwork),
      // A limited role sees only its networks, and buys nothing.
      services: isWhole ? found.services.filter((service) => isReminded(service, now)) : [],
      quotas: isWhole ? quotasOf(account) : [],
    },
    now,
  )
  const byType = (type: RouterType) => routers.filter(({ routerType }) => routerType === type)
  const [hardware, software] = [byType(ROUTER_TYPE.hardware), byType(ROUTER_TYPE.software)]
  const states = { hardware: countStates(hardware), software: countStates(software) }
  const moves = toMoves(answer, routers)
  const steps = firstSteps(
    { ...states, seats: account.seats, networks: networks.length, isMonitored: account.alerts === 1 },
    JSON.parse(account.dismissedSteps) as string[],
  )
  const isOpen = (wanted: FirstStep) => steps.some(({ step, state }) => step === wanted && state === 'open')
  return {
    at: now,
    live: toWireBoolean(answer !== null),
    status: {
      ...toStatus(states, evaluated, attention),
      single_center: routers.filter((r) => r.isSingleCenter).length,
    },
    attention: { count: attention.length, rows: [...limitRows(attention)] },
    members: { ...states, software_max: account.software },
    seats: { used: account.seatsUsed, total: account.seats },
    service_end: isWhole ? (found.services[0]?.expireAt ?? null) : null,
    alerts: toWireBoolean(account.alerts),
    networks: evaluated.map((network) => ({
      ...toNetwork(network, answer),
      availability: answer && availability(listCenters(network.members, moves), { from: since, to: now }),
    })),
    presence: toCurve(answer, routers, moves, { from: since, to: now }),
    first_steps: steps,
    service_request: isOpen('service') && account.serviceRequest ? toServiceRequest(account.serviceRequest) : null,
    awaited: isOpen('online') ? toAwaited(hardware) : null,
    changes: moves
      .filter(isNoted)
      .slice(0, HEALTH.changesShown)
      .map(({ router: { router_name, note }, ...move }) => ({ ...move, router_name, note })),
  }
}

const toServiceRequest = (json: string) => JSON.parse(json) as NonNullable<Overview['service_request']>

function toAwaited(hardware: readonly OverviewRouter[]): Overview['awaited'] {
  const waiting = hardware.filter(({ presence }) => presence.state === 'never')
  const last = waiting.toSorted((a, b) => b.createdAt - a.createdAt)[0]
  return last === undefined ? null : { router_name: last.router_name, note: last.note, since: last.createdAt }
}

interface EvaluatedNetwork extends OverviewNetwork, NetworkSummary {
  /** Health with the contract. Causes of faults follow from `health`, which is of the devices alone. */
  readonly shown: NetworkHealth
}

function toStatus(
  { hardware, software }: Readonly<Record<'hardware' | 'software', StateCount>>,
  networks: readonly EvaluatedNetwork[],
  attention: readonly AttentionRow[],
): Omit<Overview['status'], 'single_center'> {
  const ofKind = (...kinds: readonly AttentionKind[]) => attention.filter(({ kind }) => kinds.includes(kind)).length
  const inState = (state: NetworkSummary['health']['state']) =>
    networks.filter(({ shown }) => shown.state === state).length
  return {
    networks_down: inState('down'),
    networks_suspended: inState('suspended'),
    networks_partial: inState('partial'),
    networks_unknown: inState('unknown'),
    pops_expired: ofKind('pop_expired'),
    pops_offline: ofKind('pop_offline'),
    suspected: ofKind('suspected'),
    hardware_offline: hardware.offline,
    hardware_flapping: hardware.flapping,
    hardware_unreadable: hardware.unreadable,
    software_flapping: software.flapping,
    links_together: ofKind('links_together'),
    links_down: ofKind('link_down'),
    links_one_sided: ofKind('link_one_sided'),
    config_trouble: ofKind('config_failed', 'config_reverted', 'config_unsynced', 'setting_unsupported'),
    overlaps: ofKind('overlap'),
    reminders: ofKind('pop_ending', 'service_ending', 'quota_full'),
  }
}

const toNetwork = ({ number, name, status, hub, shown, members }: EvaluatedNetwork, answer: HealthAnswer | null) => ({
  network_number: number,
  network_name: name,
  network_status: toWireBoolean(status),
  live: toWireBoolean(answer?.summaries[hub] !== undefined),
  health: shown,
  software_offline: members.filter(
    ({ router_type, presence }) => isOnDemand(router_type) && presence.state === 'offline',
  ).length,
})

/** Summary of a network. Without one from its hub only the rows decide, and links are unknown. */
const toSummary = (network: OverviewNetwork, answer: HealthAnswer | null): NetworkSummary =>
  answer?.summaries[network.hub] ?? evaluateNetwork(network.members, [], { isWithdrawn: isWithdrawn(network) })

/** Member for the attention list. The hub may hold setting keys of another release; unknown ones are left out. */
const toAttentionMember = (router: OverviewRouter, unsupported: readonly string[]): AttentionMember => ({
  ...router,
  routerName: router.router_name,
  unsupported: DEVICE_SETTING_KEYS.filter((key) => unsupported.includes(key)),
})

const toAttentionNetwork = (network: EvaluatedNetwork): AttentionNetwork => ({
  ...network,
  ...contractOf(network),
  overlaps: memberOverlaps(network.inside, network.neighbors),
})

type Account = Results<ReturnType<typeof selectOverview>>['accounts'][number]

/** Quotas of the whole account. Centres have a limit in each network, bandwidth has none yet. */
const quotasOf = (account: Account) => [
  { name: '组网席位', used: account.seatsUsed, total: account.seats },
  { name: '软件成员', used: account.softwareUsed, total: account.software },
  { name: '子账号', used: account.subAccountsUsed, total: account.subAccounts },
]

type Move = HealthAnswer['transitions'][number] & { readonly router: OverviewRouter }

/** Transitions of the members that the caller sees, newest first. */
function toMoves(answer: HealthAnswer | null, routers: readonly OverviewRouter[]): readonly Move[] {
  const byHub = new Map(routers.map((router) => [router.hub, router]))
  return (answer?.transitions ?? []).flatMap((move) => {
    const router = byHub.get(move.routerHub)
    return router ? [{ ...move, router }] : []
  })
}

/** Only devices are listed: thousands of software members, which dial at will, would displace them. */
const isNoted = ({ router }: Move): boolean => router.routerType === ROUTER_TYPE.hardware

const listCenters = (members: OverviewNetwork['members'], moves: readonly Move[]) =>
  members
    .filter(({ member_type }) => member_type === 'center')
    .map(({ router_name, presence }) => ({
      state: presence.state,
      transitions: moves.filter(({ router }) => router.router_name === router_name),
    }))

/** Curve of presence. If there were more transitions than the hub keeps, it begins with the oldest one. */
function toCurve(
  answer: HealthAnswer | null,
  routers: readonly OverviewRouter[],
  moves: readonly Move[],
  range: { readonly from: number; readonly to: number },
): Overview['presence'] {
  if (answer === null) return []
  const { transitions } = answer
  const oldest = transitions.length < HEALTH.transitionsMax ? undefined : transitions.at(-1)?.at
  const states = routers.map(({ presence }) => presence.state)
  const from = Math.max(range.from, oldest ?? range.from)
  return [...presenceCurve(states, moves, { from, to: range.to, bucketMs: HEALTH.curveBucketMs })]
}

/** Hides or shows first steps. A second call changes nothing, so nothing is read before. */
export async function dismissSteps(ctx: Ctx, input: Parsed<typeof overviewApi.dismissSteps>): Promise<void> {
  const { db, now } = ctx
  const { steps, dismissed } = input
  const accountId = requireAccountId(ctx)
  const titles = steps.map((step) => FIRST_STEP_TITLE[step]).join('、')
  await batch(db, {
    steps:
      dismissed === 1 ? insertDismissedSteps(db, accountId, steps, now) : deleteDismissedSteps(db, accountId, steps),
    audit: auditRow(ctx, {
      module: 'overview',
      action: 'dismiss_steps',
      target: steps.join(','),
      message: `${dismissed === 1 ? '隐藏' : '恢复'}新手引导“${titles}”`,
      after: { steps, dismissed },
    }),
  })
}
