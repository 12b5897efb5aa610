import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PRESENCE_STATES, type PresenceState } from '../../../worker/contract/protocol.ts'
import { availability, presenceCurve, stateAt } from '../../../worker/domain/health/history.ts'

const move = (from: PresenceState, to: PresenceState, at: number) => ({ from, to, at })

describe('curve of presence', () => {
  const range = { from: 0, to: 100, stepMs: 20 }
  const curve = (now: number, transitions: ReturnType<typeof move>[]) =>
    presenceCurve(now, transitions, range).map(({ at, online }) => [at, online])

  it('is flat where nothing changed, and ends now', () => {
    expect(curve(3, [])).toEqual([0, 20, 40, 60, 80, 100].map((at) => [at, 3]))
  })

  it('reads backwards: what is online now was not before it came', () => {
    const transitions = [move('never', 'online', 50), move('online', 'offline', 70), move('offline', 'online', 90)]
    expect(curve(1, transitions)).toEqual([
      [0, 0],
      [20, 0],
      [40, 0],
      [60, 1],
      [80, 0],
      [100, 1],
    ])
  })

  it('抖动 is not 在线', () => {
    expect(curve(0, [move('online', 'flapping', 30)]).map(([, online]) => online)).toEqual([1, 1, 0, 0, 0, 0])
  })

  it('over any history equals a replay from the start', () => {
    const state = fc.constantFrom(...PRESENCE_STATES.filter((s) => s !== 'reconnecting'))
    const member = fc.array(fc.tuple(state, fc.integer({ min: 1, max: 99 })), { maxLength: 8 })
    fc.assert(
      fc.property(fc.array(member, { maxLength: 6 }), (members) => {
        const histories = members.map((steps) => {
          const times = [...new Set(steps.map(([, at]) => at))].toSorted((a, b) => a - b)
          let now: PresenceState = 'never'
          return times.flatMap((at, n) => {
            const to = steps[n]![0]
            const change = to === now ? [] : [move(now, to, at)]
            now = to
            return change
          })
        })
        const at = (history: ReturnType<typeof move>[], time: number) =>
          history.findLast((m) => m.at <= time)?.to ?? 'never'
        const expected = [0, 20, 40, 60, 80, 100].map((time) => [
          time,
          histories.filter((h) => at(h, time) === 'online').length,
        ])
        expect(curve(expected.at(-1)![1]!, histories.flat())).toEqual(expected)
      }),
    )
  })
})

describe('state at a time', () => {
  const newestFirst = [move('offline', 'online', 70), move('flapping', 'offline', 40)]

  it('is what the transition before left, and before the oldest what it ended', () => {
    expect([0, 39, 40, 69, 70, 100].map((at) => stateAt('online', newestFirst, at))).toEqual([
      'flapping',
      'flapping',
      'offline',
      'offline',
      'online',
      'online',
    ])
  })

  it('is that of now where nothing changed, 重连中 as 在线', () => {
    expect([stateAt('reconnecting', [], 5), stateAt('never', [], 5)]).toEqual(['online', 'never'])
  })
})

describe('availability', () => {
  const range = { from: 0, to: 100 }
  const center = (state: PresenceState, ...transitions: ReturnType<typeof move>[]) => ({ state, transitions })
  it.each<[string, ReturnType<typeof center>[], number | null]>([
    ['one that is there', [center('online')], 1],
    [
      'one that was away for a fifth',
      [center('online', move('online', 'offline', 40), move('offline', 'online', 60))],
      0.8,
    ],
    ['flapping counts as there', [center('online', move('online', 'flapping', 40), move('flapping', 'online', 60))], 1],
    [
      'two in turn',
      [
        center('online', move('online', 'offline', 10), move('offline', 'online', 20)),
        center('offline', move('online', 'offline', 60)),
      ],
      1,
    ],
    [
      'both away',
      [center('offline', move('online', 'offline', 50)), center('offline', move('online', 'offline', 75))],
      0.75,
    ],
    ['came half way, and stayed', [center('online', move('never', 'online', 50))], 1],
    ['never came', [center('never')], null],
    ['no centre', [], null],
  ])('%s', (_, centers, expected) => expect(availability(centers, range)).toBe(expected))
})
