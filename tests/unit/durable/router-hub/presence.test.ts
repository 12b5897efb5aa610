import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Presence,
  type PresenceEffect,
  type PresenceEvent,
  isResumed,
  nextLeaseCheckAt,
  presenceDue,
  presenceView,
  stepPresence,
  unseen,
} from '#durable/router-hub/state/presence.ts'
import { PRESENCE } from '#contract/kernel/hub-limits.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const T0 = 1_800_000_000_000
const seconds = (n: number) => T0 + n * 1000

/** Plays events at given seconds and keeps what they caused. */
function play(...events: readonly (readonly [at: number, event: PresenceEvent])[]) {
  let presence: Presence = unseen
  const effects: unknown[] = []
  for (const [at, event] of events) {
    const next = stepPresence(presence, event, seconds(at))
    presence = next.presence
    effects.push(...next.effects)
  }
  return { presence, state: presenceView(presence).state, effects }
}

const accepted = { type: 'accepted', isTakeover: false, isResumed: false } as const
const takeover = { ...accepted, isTakeover: true } as const
const resumed = { ...accepted, isResumed: true } as const
const greeted = { type: 'greeted' } as const
const due = { type: 'due' } as const
const closed = (epoch: number) => ({ type: 'closed', epoch, reason: '连接中断' }) as const
const leaseChecked = (lastReceivedAt: number | null) =>
  ({ type: 'leaseChecked', lastReceivedAt: lastReceivedAt === null ? null : seconds(lastReceivedAt) }) as const
const online = [
  [0, accepted],
  [0, greeted],
] as const

describe('a lease check', () => {
  it.each([
    ['of a device that pings in time', 20, false, null],
    ['of one whose ping is missing', 31, false, 75],
    ['of one that a peer reports silent', 3, true, 75],
    ['whose lease is over', 75, true, null],
  ])('%s', (_, now, isSuspect, expected) => {
    expect(nextLeaseCheckAt(T0, isSuspect, seconds(now))).toBe(expected === null ? null : seconds(expected))
    expect(nextLeaseCheckAt(null, isSuspect, seconds(now))).toBeNull()
  })
})

describe('presence', () => {
  it('each course of events ends in its state', async () => {
    const offenders = await findOffenders([
      ['a device nobody has seen', [], 'never'],
      ['a socket alone is no device yet', [[0, accepted]], 'never'],
      ['online at once', online, 'online'],
      ['a close is 重连中', [...online, [5, closed(1)]], 'reconnecting'],
      ['still so within the grace', [...online, [5, closed(1)], [19, due]], 'reconnecting'],
      ['offline after it', [...online, [5, closed(1)], [20, due]], 'offline'],
      ['back within the grace', [...online, [5, closed(1)], [9, accepted], [9, greeted], [30, due]], 'online'],
      ['the close of an older socket', [...online, [5, accepted], [5, greeted], [6, closed(1)], [60, due]], 'online'],
      ['a silent socket within its lease', [...online, [80, leaseChecked(6)]], 'online'],
      ['a silent socket after it', [...online, [80, leaseChecked(5)]], 'offline'],
      ['a restart under the socket', [...online, [10, leaseChecked(null)], [84, due]], 'online'],
      ['nobody came back after it', [...online, [10, leaseChecked(null)], [85, due]], 'offline'],
      [
        'a second lease check does not restart the grace period',
        [...online, [10, leaseChecked(null)], [60, leaseChecked(null)], [85, due]],
        'offline',
      ],
      [
        'back after the restart',
        [...online, [10, leaseChecked(null)], [40, accepted], [41, greeted], [85, due]],
        'online',
      ],
      [
        'a restart between the return and its hello gives another lease',
        [
          ...online,
          [10, leaseChecked(null)],
          [40, resumed],
          [40, leaseChecked(null)],
          [60, leaseChecked(null)],
          [114, due],
        ],
        'online',
      ],
      [
        'nobody came back after that',
        [
          ...online,
          [10, leaseChecked(null)],
          [40, resumed],
          [40, leaseChecked(null)],
          [60, leaseChecked(null)],
          [115, due],
        ],
        'offline',
      ],
      ['a takeover without a hello', [...online, [5, takeover], [19, due]], 'online'],
      ['a takeover without a hello after the grace', [...online, [5, takeover], [20, due]], 'offline'],
      ['a takeover whose hello is late', [...online, [5, takeover], [20, due], [25, greeted]], 'online'],
      [
        'a socket that never said hello, over a restart',
        [
          [0, accepted],
          [1, leaseChecked(null)],
          [99, due],
        ],
        'never',
      ],
      ['disabled', [...online, [1, { type: 'enabled', on: false }]], 'disabled'],
      [
        'enabled again',
        [...online, [1, { type: 'enabled', on: false }], [2, { type: 'enabled', on: true }]],
        'offline',
      ],
    ] as const)((_, events, state) => {
      expect(play(...events).state).toBe(state)
    })
    expect(offenders).toEqual([])
  })

  it('logs one line for each coming and each going', () => {
    const { effects } = play(
      ...online,
      [5, accepted],
      [5, closed(1)],
      [6, greeted],
      [9, closed(2)],
      [9, closed(2)],
      [40, due],
    )
    expect(effects).toMatchObject([
      { type: 'log', epoch: 1, online: 1 },
      { type: 'log', epoch: 1, online: 0 },
      { type: 'log', epoch: 2, online: 1 },
      { type: 'log', epoch: 2, online: 0, reason: '连接中断' },
    ])
  })

  it('logs nothing for a restart that the device survives; its going closes the line of its coming', () => {
    const { effects, presence } = play(
      ...online,
      [10, leaseChecked(null)],
      [40, resumed],
      [41, greeted],
      [60, closed(2)],
    )
    expect(presence.epoch).toBe(2)
    expect(effects).toMatchObject([
      { type: 'log', epoch: 1, online: 1 },
      { type: 'log', epoch: 1, online: 0, reason: '连接中断' },
    ])
  })

  it('logs nothing either for a restart between the return of a device and its hello', () => {
    const before = play(...online, [10, leaseChecked(null)], [40, resumed], [40, leaseChecked(null)])
    expect([isResumed(before.presence, null), isResumed(before.presence, T0), isResumed(unseen, null)]).toEqual([
      true,
      false,
      false,
    ])
    const { effects } = play(...online, [10, resumed], [10, leaseChecked(null)], [40, resumed], [41, greeted])
    expect(effects).toMatchObject([{ type: 'log', epoch: 1, online: 1 }])
  })

  it('logs the going of a device whose socket after a restart sends no hello', () => {
    const { effects } = play(...online, [10, resumed], [25, due], [40, due])
    expect(effects).toMatchObject([
      { type: 'log', epoch: 1, online: 1 },
      { type: 'log', epoch: 1, online: 0, reason: '设备连接后未完成握手' },
      { type: 'drop', reason: 'no hello' },
    ])
  })

  it('closes a socket that sends no hello, and gives the reason', () => {
    const { effects, presence } = play(...online, [5, takeover], [20, due], [35, due])
    expect(effects.at(-1)).toEqual({ type: 'drop', code: 4005, reason: 'no hello' })
    expect(presence.connected).toBe(false)
    expect(presenceView(presence)).toMatchObject({ state: 'offline', reason: '设备连接后未完成握手' })
    expect(presenceDue(play([0, accepted]).presence)).toBe(seconds(30))
    expect(presenceView(play([0, accepted], [30, due]).presence)).toMatchObject({ state: 'never', last_seen: null })
  })

  it('every offline has a reason, also after a restart without a hello', () => {
    const { presence } = play(...online, [5, accepted], [6, leaseChecked(null)], [20, due], [99, due])
    expect(presenceView(presence)).toMatchObject({ state: 'offline', last_seen: seconds(0) })
    expect(presence.reason).not.toBe('')
  })

  it('a device that was enabled again is offline with that as the reason, until it connects', () => {
    const enabled = [...online, [1, { type: 'enabled', on: false }], [2, { type: 'enabled', on: true }]] as const
    expect(presenceView(play(...enabled).presence)).toMatchObject({
      state: 'offline',
      reason: '启用后设备尚未连接，通常在30秒内恢复',
    })
    expect(presenceView(play(...enabled, [3, accepted], [3, greeted]).presence)).toMatchObject({
      state: 'online',
      reason: '',
    })
  })

  it('a device that is disabled was last seen then; one that was away, when it went', () => {
    const disabled = { type: 'enabled', on: false } as const
    expect(presenceView(play(...online, [90, disabled]).presence).last_seen).toBe(seconds(90))
    const away = play(...online, [5, closed(1)], [90, disabled])
    expect(presenceView(away.presence).last_seen).toBe(seconds(5))
  })

  it('two devices that take over from each other are 抖动 as duplicates', () => {
    const turns = [5, 10, 15, 20, 25].flatMap((at): (readonly [number, PresenceEvent])[] => [
      [at, takeover],
      [at + 1, greeted],
    ])
    const { presence } = play(...online, ...turns)
    expect(presenceView(presence)).toMatchObject({
      state: 'flapping',
      reason: '重复设备：两台设备使用同一身份，互相顶替连接',
    })
    const calm = stepPresence(presence, due, presenceDue(presence)!)
    expect(presenceView(calm.presence)).toMatchObject({ state: 'online', reason: '' })
  })

  it('closes a half-open socket with a reason', () => {
    const { effects, presence } = play(...online, [100, leaseChecked(10)])
    expect(effects.slice(1)).toMatchObject([
      { type: 'log', online: 0, reason: '超过75秒没有心跳' },
      { type: 'drop', code: 4005 },
    ])
    expect(presence.lastSeen).toBe(seconds(10))
  })

  it('is flapping from the fifth change, until ten minutes without a change', () => {
    const flaps: (readonly [number, PresenceEvent])[] = [...online]
    for (let i = 0; i < 3; i++)
      flaps.push([i * 20 + 10, closed(i + 1)], [i * 20 + 12, accepted], [i * 20 + 12, greeted])
    expect(play(...flaps.slice(0, -3)).state).toBe('online')
    const { presence, state } = play(...flaps)
    expect(state).toBe('flapping')
    const calmAt = presenceDue(presence) ?? 0
    expect(stepPresence(presence, due, calmAt - 1).presence.flapping).toBe(true)
    const calm = stepPresence(presence, due, calmAt)
    expect(presenceView(calm.presence)).toMatchObject({ state: 'online', since: calmAt })
  })

  it('calls one that flapped offline once it has been away for a whole lease, and flapping when it is back', () => {
    const flaps: (readonly [number, PresenceEvent])[] = [...online]
    for (let i = 0; i < 3; i++)
      flaps.push([i * 20 + 10, closed(i + 1)], [i * 20 + 12, accepted], [i * 20 + 12, greeted])
    const gone = [...flaps, [60, closed(4)], [75, due]] as const
    const { presence, state } = play(...gone)
    expect([state, presenceDue(presence)]).toEqual(['flapping', seconds(135)])
    expect(play(...gone, [134.9, due]).state).toBe('flapping')
    expect(presenceView(play(...gone, [135, due]).presence)).toMatchObject({ state: 'offline', reason: '连接中断' })
    expect(play(...flaps, [140, leaseChecked(60)]).state).toBe('offline')
    expect(play(...gone, [135, due], [140, accepted], [140, greeted]).state).toBe('flapping')
  })

  /** Epochs with an online line and no offline line. */
  function writeLine(open: Set<number>, effect: PresenceEffect): void {
    if (effect.type !== 'log') return
    expect(open.has(effect.epoch)).toBe(effect.online === 0)
    if (effect.online === 1) open.add(effect.epoch)
    else open.delete(effect.epoch)
  }
  const event = fc.oneof(
    fc.constantFrom(accepted, takeover, resumed),
    fc.constant(greeted),
    fc.constant(due),
    fc.integer({ min: 0, max: 6 }).map(closed),
    fc.option(fc.integer({ min: -200, max: 0 })).map((ago) => ({ type: 'ago' as const, ago })),
    fc.boolean().map((on) => ({ type: 'enabled' as const, on })),
  )
  it('holds under any order of events', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 90 }), event), { maxLength: 40, size: 'max' }),
        (script) => {
          let presence: Presence = unseen
          let now = T0
          const open = new Set<number>()
          for (const [wait, played] of script) {
            now += wait * 1000
            const next =
              played.type === 'ago'
                ? stepPresence(
                    presence,
                    { type: 'leaseChecked', lastReceivedAt: played.ago === null ? null : now + played.ago * 1000 },
                    now,
                  )
                : stepPresence(presence, played, now)
            expect(next.presence.epoch).toBeGreaterThanOrEqual(presence.epoch)
            next.effects.forEach((effect) => writeLine(open, effect))
            presence = next.presence
            expect([...open]).toEqual(presence.loggedEpoch === null ? [] : [presence.loggedEpoch])
            expect(presence.connected && presence.greeted && open.size === 0).toBe(false)
            expect(presence.base !== 'online' && open.size > 0).toBe(false)
            expect(presence.base === 'reconnecting' && presence.decideAt === null).toBe(false)
            const { state, reason } = presenceView(presence)
            expect(state === 'offline' && reason === '').toBe(false)
            const dueAt = presenceDue(presence)
            expect(dueAt ?? now).toBeLessThanOrEqual(now + PRESENCE.flapWindowMs)
          }
          // Without further events no timer remains due.
          for (let i = 0; i < 20; i++) {
            const dueAt = presenceDue(presence)
            if (dueAt === null) break
            presence = stepPresence(presence, due, Math.max(dueAt, now)).presence
          }
          expect(presenceDue(presence)).toBeNull()
        },
      ),
    )
  })
})
