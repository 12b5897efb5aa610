import type { LinkCause, NetworkHealth, PathProblem } from '#contract/kernel/health.ts'
import type { ConfigState, PresenceState } from '#contract/kernel/protocol.ts'
import type { AttentionMember, AttentionNetwork } from '#domain/health/attention-facts.ts'
import { EMPTY_INBOX } from '#domain/health/inbox.ts'
import { type AttentionFacts, listAttention } from '#domain/health/attention.ts'
import { NO_LINKS } from '#domain/health/link.ts'
import { NO_MEMBERS } from '#domain/health/member.ts'

/* Members, networks and faults of an account whose rows need attention. */

export const NOW = 1_800_000_000_000
export const DAY = 86_400_000

export const member = (
  routerName: string,
  state: PresenceState,
  over: Partial<AttentionMember> & { c?: ConfigState } = {},
): AttentionMember => ({
  routerName,
  label: `名${routerName}`,
  routerType: 1,
  presence: { state, since: NOW - 60_000, last_seen: NOW - 60_000, reason: '' },
  config: { state: over.c ?? 'applied', version: 1, applied_version: 1, reason: '', at: NOW - 60_000 },
  networks: [],
  unsupported: [],
  remoteHost: null,
  ...over,
})
export const health = (state: NetworkHealth['state'], cause = ''): NetworkHealth => ({
  state,
  issues: 0,
  cause,
  since: NOW - 1_000,
  centers: { up: 0, total: 2 },
  members: NO_MEMBERS,
  links: NO_LINKS,
  single_center: 0,
  config: { applied: 0, total: 0 },
})
export const network = (number: string, over: Partial<AttentionNetwork> = {}): AttentionNetwork => ({
  number,
  name: `网${number}`,
  isSuspended: false,
  suspendedAt: null,
  isWithdrawn: false,
  health: health('ok'),
  problems: [],
  overlaps: [],
  areas: new Map(),
  pop: null,
  ...over,
})
export const rows = (facts: Partial<AttentionFacts>) =>
  listAttention({ members: [], networks: [], services: [], quotas: [], inbox: EMPTY_INBOX, ...facts }, NOW)
export const kinds = (facts: Partial<AttentionFacts>) => rows(facts).map(({ kind, name }) => [kind, name])
export const inNetwork = (memberType: 'center' | 'point', number = 'N1') => ({ networks: [{ number, memberType }] })

export const link = (kind: PathProblem['kind'], isSingleCenter = false): PathProblem => ({
  kind,
  routerName: 'p1',
  centerRouterName: 'c1',
  isSingleCenter,
  reason: '两端均收不到对方的探测',
  since: NOW - 5,
})

/** A device that was seen last so many seconds ago. */
export const away = (name: string, seconds: number, over: Parameters<typeof member>[2] = {}) => {
  const at = NOW - seconds * 1_000
  return member(name, 'offline', { presence: { state: 'offline', since: at, last_seen: at, reason: '' }, ...over })
}
export const suspicion = (over: Partial<LinkCause> = {}): LinkCause => ({
  role: 'center',
  routerName: 'c1',
  down: 0,
  oneSided: 20,
  members: 20,
  since: NOW - 5_000,
  isPartial: false,
  ...over,
})
