import { describe, expect, it } from 'vitest'
import type { LinkCause, PathProblem } from '#contract/kernel/health.ts'
import type { AttentionMember, AttentionNetwork } from '#domain/health/attention-facts.ts'
import { listAttention } from '#domain/health/attention.ts'
import { EMPTY_INBOX } from '#domain/health/inbox.ts'
import { NO_LINKS } from '#domain/health/link.ts'
import { NO_MEMBERS } from '#domain/health/member.ts'

const NOW = 1_800_000_000_000
const DAY = 86_400_000

const inNetwork = (memberType: 'center' | 'point', number = 'N1') => ({ networks: [{ number, memberType }] })
const member = (
  routerName: string,
  state: 'online' | 'offline',
  over: Partial<AttentionMember> = {},
): AttentionMember => ({
  routerName,
  label: `名${routerName}`,
  routerType: 1,
  presence: { state, since: NOW - 60_000, last_seen: NOW - 60_000, reason: '' },
  config: { state: 'applied', version: 1, applied_version: 1, reason: '', at: NOW - 60_000 },
  networks: [],
  unsupported: [],
  remoteHost: null,
  ...over,
})
const away = (name: string, seconds: number, over: Partial<AttentionMember> = {}) => {
  const at = NOW - seconds * 1_000
  return member(name, 'offline', { presence: { state: 'offline', since: at, last_seen: at, reason: '' }, ...over })
}
const network = (number: string, over: Partial<AttentionNetwork> = {}): AttentionNetwork => ({
  number,
  name: `网${number}`,
  isSuspended: false,
  suspendedAt: null,
  isWithdrawn: false,
  health: {
    state: 'ok',
    issues: 0,
    cause: '',
    since: NOW - 1_000,
    centers: { up: 0, total: 2 },
    members: NO_MEMBERS,
    links: NO_LINKS,
    single_center: 0,
    config: { applied: 0, total: 0 },
  },
  problems: [],
  overlaps: [],
  areas: new Map(),
  pop: null,
  ...over,
})
const link = (kind: PathProblem['kind']): PathProblem => ({
  kind,
  routerName: 'p1',
  centerRouterName: 'c1',
  isSingleCenter: false,
  reason: '两端均收不到对方的探测',
  since: NOW - 5,
})
const suspicion = (over: Partial<LinkCause> = {}): LinkCause => ({
  role: 'center',
  routerName: 'c1',
  down: 0,
  oneSided: 20,
  members: 20,
  since: NOW - 5_000,
  isPartial: false,
  ...over,
})
interface Facts {
  readonly members: readonly AttentionMember[]
  readonly networks: readonly AttentionNetwork[]
}
const rows = (facts: Facts) => listAttention({ services: [], quotas: [], inbox: EMPTY_INBOX, ...facts }, NOW)
const kinds = (facts: Facts) => rows(facts).map(({ kind, name }) => [kind, name])

describe('待处理 · devices behind one public address', () => {
  it('are suspected together, over networks and while presence decides one by one', () => {
    const presence = { state: 'online', since: NOW - DAY, last_seen: NOW, reason: '' } as const
    const at = { remoteHost: '203.0.113.7', presence }
    const stores = ['p1', 'p2'].map((name) => member(name, 'online', { ...inNetwork('point'), ...at }))
    const lab = member('p3', 'online', { ...inNetwork('point', 'N2'), ...at })
    const centers = ['c1', 'c2'].map((name) =>
      member(name, 'online', {
        networks: ['N1', 'N2'].map((number) => ({ number, memberType: 'center' as const })),
        presence,
      }),
    )
    const problemsOf = (routerName: string) =>
      ['c1', 'c2'].map((centerRouterName) => ({ ...link('link_one_sided'), routerName, centerRouterName }))
    const networks = [
      network('N1', {
        problems: [...problemsOf('p1'), ...problemsOf('p2')],
        checked: { p1: 2, p2: 2, c1: 9, c2: 9, '': 18 },
      }),
      network('N2', { problems: problemsOf('p3'), checked: { p3: 2, c1: 4, c2: 4, '': 8 } }),
    ]
    const suspected = rows({ members: [...stores, lab, ...centers], networks })
    expect(suspected).toMatchObject([
      {
        kind: 'suspected',
        target: { type: 'members' },
        name: '3 台硬件',
        cause: '疑似失联，都在公网地址 203.0.113.7 之后：6 条链路同时单边',
      },
    ])
    const first = away('p1', 60, { ...inNetwork('point'), remoteHost: at.remoteHost })
    const [, second] = stores
    expect(kinds({ members: [first, second!, lab, ...centers], networks })).toEqual([['suspected', '3 台硬件']])
    const alike = away('p2', 58, { ...inNetwork('point'), remoteHost: at.remoteHost })
    const late = rows({ members: [first, alike, lab, ...centers], networks })
    expect(late).toMatchObject([{ kind: 'suspected', name: '3 台硬件' }])
    expect(late[0]?.cause).toContain('2 条链路同时单边')
    const long = away('p2', 600, { ...inNetwork('point'), remoteHost: at.remoteHost })
    expect(kinds({ members: [first, long, lab, ...centers], networks })).not.toContainEqual(['suspected', '3 台硬件'])
    const elsewhere = { ...lab, remoteHost: '203.0.113.8' }
    expect(kinds({ members: [...stores, elsewhere, ...centers], networks })).not.toContainEqual([
      'suspected',
      '3 台硬件',
    ])
  })

  it('are one row where a network’s hub has found them, and where only its parts over several networks show them', () => {
    const presence = { state: 'online', since: NOW - DAY, last_seen: NOW, reason: '' } as const
    const at = { remoteHost: '203.0.113.7', presence }
    const names = ['p1', 'p2', 'p3']
    const stores = names.map((name) => member(name, 'online', { ...inNetwork('point'), ...at }))
    const checked = { p1: 2, p2: 2, p3: 2, c1: 4, c2: 4, '': 8 }
    const site = suspicion({ role: 'site', routerName: at.remoteHost, oneSided: 6, members: 3, names })
    expect(kinds({ members: stores, networks: [network('N1', { causes: [site], checked })] })).toEqual([
      ['suspected', '3 台硬件'],
    ])
    const together = ['c1', 'c2'].map((routerName) => suspicion({ routerName, oneSided: 3, isPartial: true, names }))
    const wide = { ...checked, c1: 9, c2: 9, '': 18 }
    expect(kinds({ members: stores, networks: [network('N1', { causes: together, checked: wide })] })).toEqual([
      ['suspected', '3 台硬件'],
    ])
  })
})
