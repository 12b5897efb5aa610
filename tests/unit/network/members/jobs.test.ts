import { describe, expect, it } from 'vitest'
import { JOB_EXPIRED, sessionServers, toJobState, worstState } from '#domain/network/members/jobs.ts'
import type { ConfigState, PresenceState } from '#contract/kernel/protocol.ts'

const node = (routerId: number, memberType: 'center' | 'point', routerType: 1 | 2 = 1) => ({
  routerId,
  routerName: `r${routerId}`,
  routerType,
  memberType,
})
const [c1, c2, p1, p2, app] = [
  node(1, 'center'),
  node(2, 'center'),
  node(3, 'point'),
  node(4, 'point'),
  node(5, 'point', 2),
]
const members = [c1, c2, p1, p2, app]
const OFF = { centerLink: { enable: 0, server: null }, pointLinks: [] } as const
const names = (...args: Parameters<typeof sessionServers>) =>
  sessionServers(...args).map(({ routerName }) => routerName)

describe('devices that hold the sessions of a member', () => {
  it('are the centres of a point, hardware or software', () => {
    expect(names(p1, members, OFF)).toEqual(['r1', 'r2'])
    expect(names(app, members, OFF)).toEqual(['r1', 'r2'])
  })

  it('are the other centre where a centre dials it, and none where it answers', () => {
    const links = { ...OFF, centerLink: { enable: 1, server: 1 } } as const
    expect([names(c2, members, links), names(c1, members, links), names(c2, members, OFF)]).toEqual([['r1'], [], []])
  })

  it('are the answering ends of its point links', () => {
    const links = { ...OFF, pointLinks: [{ serverId: 4, clientId: 3 }] }
    expect(names(p1, members, links)).toEqual(['r1', 'r2', 'r4'])
    expect(names(p2, [p1, p2], links)).toEqual([])
  })
})

describe('the state of a job', () => {
  const job = { kind: 'kill_user', state: 'pending', reason: '', createdAt: 1_000, expiresAt: 5_000 } as const
  const device = (state: PresenceState, config: ConfigState = 'applied', at: number | null = null) => ({
    presence: { state, since: 0, last_seen: 0, reason: '' },
    config: { state: config, version: 1, applied_version: 1, reason: config === 'failed' ? '校验失败' : '', at },
  })

  it.each([
    ['pending', 'online', 2_000, 'accepted', ''],
    ['pending', 'offline', 2_000, 'queued', ''],
    ['pending', 'offline', 5_000, 'failed', JOB_EXPIRED],
    ['expired', 'online', 2_000, 'failed', JOB_EXPIRED],
    ['done', 'offline', 9_000, 'done', '没有连接'],
    ['failed', 'online', 2_000, 'failed', '没有连接'],
  ] as const)('%s, device %s', (state, presence, now, expected, reason) => {
    const stored = { ...job, state, reason: state === 'failed' || state === 'done' ? '没有连接' : '' }
    expect(toJobState(stored, device(presence), now)).toEqual({ state: expected, reason })
  })

  it.each([
    ['applied', 999, 'accepted', ''],
    ['applied', 1_000, 'done', ''],
    ['pushing', 1_500, 'accepted', ''],
    ['queued', 1_500, 'queued', ''],
    ['failed', 1_500, 'failed', '校验失败'],
  ] as const)('of a resend is that of the configuration since then: %s at %d', (config, at, expected, reason) => {
    const resend = { ...job, kind: 'resend' } as const
    expect(toJobState(resend, device('online', config, at), 9_000)).toEqual({ state: expected, reason })
  })

  it('of several devices is the worst', () => {
    expect(worstState(['done', 'accepted'])).toBe('accepted')
    expect(worstState(['queued', 'accepted'])).toBe('queued')
    expect(worstState(['failed', 'queued', 'done'])).toBe('failed')
    expect(worstState(['done'])).toBe('done')
  })
})
