import type { AttentionKind, AttentionRow } from '#contract/kernel/health.ts'
import type { Overview } from '#contract/overview/index.ts'
import { NO_STATES, createHealth } from '../lib/fixtures.ts'

export const AT = Date.parse('2026-11-22T00:00:12Z') // 08:00:12 in Asia/Shanghai

export const NO_FAULTS: Overview['status'] = {
  networks_down: 0,
  networks_suspended: 0,
  networks_partial: 0,
  networks_unknown: 0,
  pops_expired: 0,
  hardware_offline: 0,
  hardware_flapping: 0,
  hardware_unreadable: 0,
  software_flapping: 0,
  links_down: 0,
  links_one_sided: 0,
  links_together: 0,
  suspected: 0,
  pops_offline: 0,
  single_center: 0,
  config_trouble: 0,
  overlaps: 0,
  terms_over: 0,
  deliveries_failed: 0,
  directory: 0,
  reminders: 0,
}

type Network = Overview['networks'][number]

export const createOverviewNetwork = (
  number: string,
  health: Partial<Network['health']> = {},
  over: Partial<Network> = {},
): Network => ({
  network_number: number,
  network_name: `组网${number}`,
  network_status: 1,
  live: 1,
  health: createHealth(health) as Network['health'],
  software_offline: 0,
  availability: 1,
  availability_ms: 86_400_000,
  ...over,
})

export const createAttentionRow = (
  kind: AttentionKind,
  name: string,
  target: Partial<AttentionRow['target']> & Pick<AttentionRow['target'], 'type'>,
  over: Partial<AttentionRow> = {},
): AttentionRow => ({
  id: `${kind} ${name}`,
  kind,
  level: 'bad',
  target: { network_number: null, router_name: null, center_router_name: null, ticket_number: null, ...target },
  name,
  cause: '原因',
  since: AT - 180_000,
  until: null,
  folded: 0,
  handled: null,
  ...over,
})

/** All is well with one network. */
export const createOverview = (over: Partial<Overview> = {}): Overview => ({
  at: AT,
  live: 1,
  status: NO_FAULTS,
  attention: { count: 0, rows: [] },
  members: { hardware: { ...NO_STATES, online: 3 }, software: { ...NO_STATES, never: 5 }, software_max: 50 },
  seats: { used: 48, total: 100 },
  service_end: AT + 364 * 86_400_000,
  alerts: 1,
  networks: [createOverviewNetwork('N1')],
  presence: [2, 2, 3].map((online, n) => ({ at: AT - (2 - n) * 300_000, online })),
  service_request: null,
  awaited: null,
  first_steps: [],
  changes: [],
  ...over,
})
