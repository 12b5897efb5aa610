import { toWireBoolean } from '#contract/kernel/fields.ts'
import type { AttentionKind, AttentionRow, NetworkSummary } from '#contract/kernel/health.ts'
import type { HealthAnswer } from '#contract/kernel/hubs.ts'
import { HEALTH } from '#contract/kernel/hub-limits.ts'
import { type FirstStep, type Overview, FIRST_STEP_TITLE, type overviewApi } from '#contract/overview/index.ts'
import { isOnDemand } from '#contract/kernel/states.ts'
import { batch } from '#db/batch.ts'
import { limitRows } from '#domain/health/attention.ts'
import { availability, presenceCurve } from '#domain/health/history.ts'
import { type StateCount, countStates } from '#domain/health/member.ts'
import { firstSteps } from '#domain/overview/first-steps.ts'
import { type Ctx, requireAccountId } from '#http/context.ts'
import { type EvaluatedNetwork, type Move, evaluateOverview, toChange } from './evaluate.ts'
import type { OverviewNetwork, OverviewRouter } from './rows.ts'
import { deleteDismissedSteps, insertDismissedSteps } from './sql.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'
import type { Parsed } from '#contract/kernel/endpoint.ts'
import { auditRow } from '#db/audit.ts'

/* Overview page (总览) of an account: health of networks and members, attention list, curve of presence, first steps. */

export async function overviewInfo(ctx: Ctx): Promise<Overview> {
  const { now } = ctx
  const since = now - HEALTH.curveMs
  const { account, services, networks, routers, attention, moves, answer } = await evaluateOverview(ctx, since)
  const byType = (type: RouterType) => routers.filter(({ routerType }) => routerType === type)
  const [hardware, software] = [byType(ROUTER_TYPE.hardware), byType(ROUTER_TYPE.software)]
  const states = { hardware: countStates(hardware), software: countStates(software) }
  const steps = firstSteps(
    { ...states, seats: account.seats, networks: networks.length, isMonitored: account.alerts === 1 },
    JSON.parse(account.dismissedSteps) as string[],
  )
  const isOpen = (wanted: FirstStep) => steps.some(({ step, state }) => step === wanted && state === 'open')
  return {
    at: now,
    live: toWireBoolean(answer !== null),
    status: {
      ...toStatus(states, networks, attention),
      single_center: routers.filter((r) => r.isSingleCenter).length,
    },
    attention: { count: attention.length, rows: [...limitRows(attention)] },
    members: { ...states, software_max: account.software },
    seats: { used: account.seatsUsed, total: account.seats },
    service_end: services[0]?.expireAt ?? null,
    alerts: toWireBoolean(account.alerts),
    networks: networks.map((network) => ({
      ...toNetwork(network, answer),
      ...toAvailability(answer && availability(listCenters(network.members, moves), { from: since, to: now })),
    })),
    presence: toCurve(answer, routers, moves, { from: since, to: now }),
    first_steps: steps,
    service_request: isOpen('service') && account.serviceRequest ? toServiceRequest(account.serviceRequest) : null,
    awaited: isOpen('online') ? toAwaited(hardware) : null,
    changes: moves.filter(isNoted).slice(0, HEALTH.changesShown).map(toChange),
  }
}

const toServiceRequest = (json: string) => JSON.parse(json) as NonNullable<Overview['service_request']>

function toAwaited(hardware: readonly OverviewRouter[]): Overview['awaited'] {
  const waiting = hardware.filter(({ presence }) => presence.state === 'never')
  const last = waiting.toSorted((a, b) => b.createdAt - a.createdAt)[0]
  return last === undefined ? null : { router_name: last.router_name, note: last.note, since: last.createdAt }
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
    config_trouble: ofKind(
      'config_failed',
      'config_reverted',
      'config_unsynced',
      'setting_unsupported',
      'certificate_refused',
    ),
    overlaps: ofKind('overlap'),
    terms_over: ofKind('service_over', 'saas_over'),
    deliveries_failed: ofKind('delivery_failed'),
    directory: ofKind('directory_failed', 'directory_asking'),
    reminders: ofKind(
      'pop_ending',
      'service_ending',
      'saas_ending',
      'certificate_ending',
      'quota_full',
      'contact_expired',
      'ticket_answered',
    ),
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

/** Only devices are listed: thousands of software members, which dial at will, would displace them. */
const isNoted = ({ router }: Move): boolean => router.routerType === ROUTER_TYPE.hardware

const listCenters = (members: OverviewNetwork['members'], moves: readonly Move[]) =>
  members
    .filter(({ member_type }) => member_type === 'center')
    .map(({ router_name, presence }) => ({
      state: presence.state,
      transitions: moves.filter(({ router }) => router.router_name === router_name),
    }))

const toAvailability = (found: ReturnType<typeof availability>) => ({
  availability: found && found.share,
  availability_ms: found?.measuredMs ?? 0,
})

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
