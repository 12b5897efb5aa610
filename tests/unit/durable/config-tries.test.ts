import { describe, expect, it } from 'vitest'
import { CONFIG_PUSH } from '../../../worker/contract/limits.ts'
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

  it('is pushed at once to a device without a document', () => {
    const { view, pushes } = play([0, compiled('a')], [1, result('confirmed', 'a')], [90, greeted(null)])
    expect([view.state, pushes]).toEqual(['pushing', [1, 1]])
  })
})
