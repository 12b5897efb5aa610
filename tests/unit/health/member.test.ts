import { describe, expect, it } from 'vitest'
import { CONFIG_STATES, PRESENCE_STATES } from '#contract/kernel/protocol.ts'
import {
  MEMBER_STATES,
  NO_MEMBERS,
  countStates,
  isOnline,
  isTrouble,
  stableState,
  toStateShares,
  sumGroups,
} from '#domain/health/member.ts'

describe('health of a member', () => {
  it.each([
    ['online', undefined, true],
    ['reconnecting', undefined, true],
    ['flapping', true, true],
    ['flapping', false, false],
    ['flapping', undefined, false],
    ['unreadable', undefined, false],
    ['unreadable', true, false],
    ['offline', undefined, false],
    ['offline', true, false],
    ['never', undefined, false],
    ['never', true, false],
    ['disabled', undefined, false],
    ['disabled', true, false],
  ] as const)('%s with a live socket %s is online on the wire: %s', (state, live, online) => {
    expect(isOnline(live === undefined ? { state } : { state, live })).toBe(online)
  })

  it('each member counts once, in the state it is in; 从未上线 and 抖动 are numbers of their own', () => {
    const members = PRESENCE_STATES.flatMap((state, n) =>
      Array.from({ length: n + 1 }, () => ({ presence: { state } })),
    )
    const count = countStates(members)
    expect(count).toEqual(Object.fromEntries(PRESENCE_STATES.map((state, n) => [state, n + 1])))
    expect(Object.values(count).reduce((a, b) => a + b)).toBe(members.length)
    expect(MEMBER_STATES.toSorted()).toEqual(PRESENCE_STATES.toSorted())
  })

  it('groups of one state add up, and only those with a live socket count a flapping member as online', () => {
    const groups = [
      { state: 'flapping', live: true, count: 2 },
      { state: 'flapping', live: false, count: 3 },
      { state: 'reconnecting', live: false, count: 4 },
      { state: 'never', live: false, count: 5 },
    ] as const
    const states = { ...NO_MEMBERS, flapping: 5, reconnecting: 4, never: 5 }
    expect(sumGroups(groups)).toEqual({ states, online: 6 })
    expect(sumGroups([])).toEqual({ states: NO_MEMBERS, online: 0 })
  })

  it('over all states of presence and configuration, 需关注 is what is not well', () => {
    const bad = (type: 1 | 2) =>
      PRESENCE_STATES.flatMap((state) =>
        CONFIG_STATES.filter((config) => isTrouble(type, state, config)).map((config) => `${state} ${config}`),
      )
    const all = (states: readonly string[], configs: readonly string[]) =>
      states.flatMap((state) => configs.map((config) => `${state} ${config}`))
    const configs = ['failed', 'reverted', 'unsynced']
    const expected = new Set([
      ...all(['offline', 'flapping', 'unreadable'], CONFIG_STATES),
      ...all(PRESENCE_STATES, configs),
    ])
    expect(new Set(bad(1))).toEqual(expected)
    expect(new Set(bad(2))).toEqual(new Set(all(['flapping', 'unreadable'], CONFIG_STATES)))
  })

  it.each([
    [0, [['offline', 5, false]]],
    [
      2,
      [
        ['offline', 3, false],
        ['offline', 2, true],
      ],
    ],
    [5, [['offline', 5, true]]],
    [9, [['offline', 5, true]]], // counted a moment later
  ])('of five that are 离线, %i dial on demand and stand apart', (onDemand, expected) => {
    const shares = toStateShares({ ...NO_MEMBERS, online: 1, offline: 5, never: 2 }, onDemand)
    expect(shares.map(({ state, count, isOnDemand }) => [state, count, isOnDemand])).toEqual([
      ['online', 1, false],
      ...expected,
      ['never', 2, false],
    ])
  })

  it('a short interruption is no transition', () => {
    expect(PRESENCE_STATES.map((state) => [state, stableState(state)]).filter(([a, b]) => a !== b)).toEqual([
      ['reconnecting', 'online'],
    ])
  })
})
