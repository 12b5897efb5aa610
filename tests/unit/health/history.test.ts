import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PRESENCE_STATES, type PresenceState } from '#contract/kernel/protocol.ts'
import { availability, movesAfterSilence, presenceCurve, stateAt } from '#domain/health/history.ts'

const move = (from: PresenceState, to: PresenceState, at: number) => ({ from, to, at })

describe('transitions after the hub has answered again', () => {
  const at = 9
  const presence = (state: PresenceState) => ({ state, since: 1, last_seen: 1, reason: '' })
  it.each([
    ['a steady hub', 'online', [], 'online', []],
    ['a hub that has nothing to report', 'unreadable', [], 'online', ['unreadable → online']],
    [
      'a hub that reports what happened',
      'unreadable',
      [move('online', 'offline', 5)],
      'offline',
      ['unreadable → offline'],
    ],
  ] as const)('of %s', (_, last, moves, state, expected) => {
    const all = moves.map((each) => ({ ...each, reason: '' }))
    const found = movesAfterSilence(last, { presence: presence(state), moves: all }, at)
    expect(found.map(({ from, to }) => `${from} → ${to}`)).toEqual(expected)
  })
})

const states = (...of: PresenceState[]) => of

describe('curve of presence', () => {
  const range = { from: 0, to: 100, bucketMs: 20 }
  const curve = (now: readonly PresenceState[], transitions: ReturnType<typeof move>[]) =>
    presenceCurve(now, transitions, range).map(({ at, online }) => [at, online])

  it('is flat where nothing changed, and ends now', () => {
    expect(curve(states('online', 'reconnecting', 'offline'), [])).toEqual([
      [0, 2],
      [100, 2],
    ])
  })

  it('has an outage of a moment at its own time', () => {
    const transitions = [move('offline', 'online', 42), move('online', 'offline', 41)]
    expect(curve(states('online', 'online'), transitions)).toEqual([
      [0, 2],
      [41, 1],
      [42, 2],
      [100, 2],
    ])
  })

  it('begins where the first member came, and is empty while none has', () => {
    const transitions = [move('never', 'online', 50), move('online', 'offline', 70), move('never', 'disabled', 30)]
    expect(curve(states('offline', 'disabled', 'never'), transitions)).toEqual([
      [50, 1],
      [70, 0],
      [100, 0],
    ])
    expect(curve(states('never', 'disabled'), [move('never', 'disabled', 30)])).toEqual([])
  })

  it('takes changes of the same moment for one', () => {
    const transitions = [move('online', 'offline', 50), move('offline', 'online', 50)]
    expect(curve(states('online', 'offline'), transitions)).toEqual([
      [0, 1],
      [100, 1],
    ])
  })

  it('抖动 is not 在线', () => {
    expect(curve(states('flapping'), [move('online', 'flapping', 30)])).toEqual([
      [0, 1],
      [30, 0],
      [100, 0],
    ])
  })

  describe('over any history', () => {
    const state = fc.constantFrom(...PRESENCE_STATES.filter((s) => s !== 'reconnecting' && s !== 'never'))
    const member = fc.array(fc.tuple(state, fc.integer({ min: 1, max: 99 })), { maxLength: 60 })
    const members = fc.array(member, { maxLength: 6 }).map((all) => all.map(toHistory))
    const stateOf = (history: ReturnType<typeof move>[], time: number) =>
      history.findLast((m) => m.at <= time)?.to ?? 'never'
    /** By a replay from the start. */
    const onlineAt = (histories: ReturnType<typeof move>[][], time: number) =>
      histories.filter((history) => stateOf(history, time) === 'online').length
    const draw = (histories: ReturnType<typeof move>[][]) =>
      presenceCurve(
        histories.map((history) => stateOf(history, 100)),
        histories.flat(),
        range,
      )

    it('each point is true, in order of time, and they are at most four of a bucket', () => {
      fc.assert(
        fc.property(members, (histories) => {
          const points = draw(histories)
          expect(points.map(({ online }) => online)).toEqual(points.map(({ at }) => onlineAt(histories, at)))
          const times = points.map(({ at }) => at)
          expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
          for (const from of [0, 20, 40, 60, 80])
            expect(times.filter((at) => at >= from && at < from + 20).length).toBeLessThanOrEqual(4)
        }),
      )
    })

    it('loses no lowest and no highest value of a bucket since the first member came', () => {
      fc.assert(
        fc.property(members, (histories) => {
          const points = draw(histories)
          const firsts = histories.flatMap((history) => history.find(({ to }) => to !== 'disabled')?.at ?? [])
          const first = firsts.length === 0 ? null : Math.min(...firsts)
          expect(points[0]?.at ?? null).toBe(first)
          if (first === null) return
          for (const from of [0, 20, 40, 60, 80]) {
            const times = Array.from({ length: 20 }, (_, n) => from + n).filter((at) => at >= first)
            const drawn = times.map((time) => points.findLast(({ at }) => at <= time)!.online)
            const actual = times.map((time) => onlineAt(histories, time))
            expect([Math.min(...drawn), Math.max(...drawn)]).toEqual([Math.min(...actual), Math.max(...actual)])
          }
        }),
      )
    })
  })
})

/** Transitions of one member, oldest first, one at a time. */
function toHistory(steps: readonly (readonly [PresenceState, number])[]) {
  const times = [...new Set(steps.map(([, at]) => at))].toSorted((a, b) => a - b)
  let now: PresenceState = 'never'
  return times.flatMap((at, n) => {
    const to = steps[n]![0]
    const change = to === now ? [] : [move(now, to, at)]
    now = to
    return change
  })
}

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
    [
      'a time without an answer counts for neither',
      [center('unreadable', move('online', 'unreadable', 60), move('offline', 'online', 20))],
      2 / 3,
    ],
    [
      'one without an answer beside one that is there',
      [center('unreadable', move('online', 'unreadable', 60)), center('online')],
      1,
    ],
    ['came half way, and stayed', [center('online', move('never', 'online', 50))], 1],
    ['never came', [center('never')], null],
    ['no centre', [], null],
  ])('%s', (_, centers, expected) => expect(availability(centers, range)?.share ?? null).toBe(expected))

  it('says of which time it is the share', () => {
    const measured = (...centers: ReturnType<typeof center>[]) => availability(centers, range)?.measuredMs
    expect(measured(center('offline', move('online', 'offline', 50)))).toBe(100)
    expect(measured(center('online', move('never', 'online', 92)))).toBe(8)
    expect(measured(center('unreadable', move('online', 'unreadable', 60)))).toBe(60)
  })
})
