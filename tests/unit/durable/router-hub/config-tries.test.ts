import { describe, expect, it } from 'vitest'
import { CONFIG_PUSH } from '#contract/kernel/hub-limits.ts'
import { type Played, compiled, due, greeted, lost, play, reported, result } from './config-script.ts'

describe('a document', () => {
  /** A document that cuts the device off: the device reports what it still can, and reverts. */
  const cutsOff = (round: readonly Played[]): Played[] => {
    const script: Played[] = [
      [0, compiled('a')],
      [1, result('confirmed', 'a')],
      [10, compiled('b')],
    ]
    for (let i = 0; i < 8; i++) script.push(...round.map(([at, ...event]): Played => [20 + i * 200 + at, ...event]))
    return script
  }
  it.each<readonly [string, readonly Played[]]>([
    [
      'and reconnects with the old one',
      [
        [0, result('received', 'b', 2)],
        [1, result('applied', 'b', 2)],
        [60, lost, false],
        [125, greeted('a')],
        [126, result('reverted', 'b', 2)],
        [190, due],
      ],
    ],
    [
      'and disconnects before it reported applied',
      [
        [0, result('received', 'b', 2)],
        [10, lost, false],
        [125, greeted('a')],
        [126, result('reverted', 'b', 2)],
        [190, due],
      ],
    ],
    [
      'and reports it over the same connection',
      [
        [0, result('received', 'b', 2)],
        [1, result('applied', 'b', 2)],
        [30, reported('b', 2)],
        [121, result('reverted', 'b', 2)],
        [122, reported('a')],
        [190, due],
      ],
    ],
  ])('that cuts the device off, which gives it up %s, is left alone after three tries', (_, round) => {
    const { view, pushes } = play(...cutsOff(round))
    expect(pushes.filter((version) => version === 2).length).toBeLessThanOrEqual(1 + CONFIG_PUSH.automaticTries)
    expect(view).toMatchObject({ state: 'unsynced', applied_version: 1, reason: '应用后无法连接到服务' })
  })

  it('waits before the retry, also if the device reconnects at once', () => {
    const back = [
      [2, greeted('b', 2)],
      [10, compiled('c', false, 2)],
      [11, result('applied', 'c', 3)],
      [130, greeted('b', 2)],
    ] as const
    expect(play([0, compiled('b', false, 1)], ...back)).toMatchObject({ pushes: [2, 3], view: { state: 'reverted' } })
    expect(play([0, compiled('b', false, 1)], ...back, [141, due]).pushes).toEqual([2, 3, 3])
  })

  it('on which a new device dies each time is left alone after three tries', () => {
    const script: Played[] = [[0, compiled('a')]]
    for (let i = 0; i < 8; i++) {
      const at = 10 * i
      script.push([at + 1, greeted(null)], [at + 2, result('received', 'a')], [at + 3, result('applied', 'a')])
      script.push([at + 4, lost, false])
    }
    const { view, pushes } = play(...script, [99, greeted(null)], [299, due])
    expect(pushes.length).toBeLessThanOrEqual(2 + CONFIG_PUSH.automaticTries) // one of them from before it came
    expect(view).toMatchObject({ state: 'unsynced', applied_version: null })
  })

  it('is pushed at once to a device without a document', () => {
    const { view, pushes } = play([0, compiled('a')], [1, result('confirmed', 'a')], [90, greeted(null)])
    expect([view.state, pushes]).toEqual(['pushing', [1, 1]])
  })
})

describe('results are matched by version and hash: A → B → A within a second', () => {
  const back = [
    [0, compiled('a')],
    [0.1, compiled('b')],
    [0.2, compiled('a')],
  ] as const
  it.each([
    ['applied', result('applied', 'a', 1)],
    ['confirmed', result('confirmed', 'a', 1)],
    ['failed', result('failed', 'a', 1)],
    ['reverted', result('reverted', 'a', 1)],
    ['the counters', reported('a', 1)],
  ])('%s of the first A says nothing about the second', (_, late) => {
    const { view, pushes } = play(...back, [0.5, late], [1, due], [1.5, late])
    expect([view.state, view.version, pushes]).toEqual(['pushing', 3, [1, 3]])
  })
  it('the answer to the second A counts', () => {
    expect(play(...back, [1, due], [2, result('confirmed', 'a', 3)]).view.state).toBe('applied')
  })
})

describe('versions', () => {
  it('never fall on a device that ran more of an earlier claim', () => {
    const { view, pushes } = play([0, compiled('x'), false], [5, greeted('old', 7)], [6, result('confirmed', 'x', 8)])
    expect([pushes, view]).toMatchObject([[8], { state: 'applied', version: 8, applied_version: 8 }])
  })
  it('are not lifted by what no hub can have pushed', () => {
    const { version } = play([0, compiled('x'), false], [5, greeted('old', CONFIG_PUSH.versionMax)]).config
    expect(version).toBe(1)
  })
})
