import { describe, expect, it } from 'vitest'
import { configDue, stepConfig } from '#durable/router-hub/state/config-push.ts'
import { CONFIG_PUSH } from '#contract/kernel/hub-limits.ts'
import { T0, type Played, play, compiled, result, reported, greeted, due, lost, resend } from './config-script.ts'
import { findOffenders } from '#tests/support/offenders.ts'

describe('configuration', () => {
  it('each course of events ends in its state, with its pushes', async () => {
    const offenders = await findOffenders<readonly [string, readonly Played[], string, readonly number[]]>([
      ['the first document goes at once', [[0, compiled('a')]], 'pushing', [1]],
      [
        'the same hash is no push',
        [
          [0, compiled('a')],
          [9, compiled('a')],
        ],
        'pushing',
        [1],
      ],
      [
        'latest wins within a second',
        [
          [0, compiled('a')],
          [0.2, compiled('b')],
          [0.4, compiled('c')],
          [1, due],
        ],
        'pushing',
        [1, 3],
      ],
      [
        'later changes go at once',
        [
          [0, compiled('a')],
          [2, compiled('b')],
        ],
        'pushing',
        [1, 2],
      ],
      ['offline is queued', [[0, compiled('a'), false]], 'queued', []],
      [
        'delivered on return',
        [
          [0, compiled('a'), false],
          [9, greeted(null)],
        ],
        'pushing',
        [1],
      ],
      [
        'nothing to send when the hash is right',
        [
          [0, compiled('a'), false],
          [9, greeted('a', 7)],
        ],
        'applied',
        [],
      ],
      [
        'applied by exact hash',
        [
          [0, compiled('a')],
          [1, result('received', 'a')],
          [2, result('applied', 'a')],
        ],
        'applied',
        [1],
      ],
      [
        'a lost answer is recovered by the counters',
        [
          [0, compiled('a')],
          [60, reported('a')],
        ],
        'applied',
        [1],
      ],
      [
        'an old report during a push',
        [
          [0, compiled('a')],
          [1, reported('o', 0)],
        ],
        'pushing',
        [1],
      ],
      [
        'the answer for an older document',
        [
          [0, compiled('a')],
          [2, compiled('b')],
          [3, result('applied', 'a')],
        ],
        'pushing',
        [1, 2],
      ],
      [
        'failed once, tried again later',
        [
          [0, compiled('a')],
          [1, result('failed', 'a')],
          [2, due],
        ],
        'failed',
        [1],
      ],
      [
        'a repeated failure counts once',
        [
          [0, compiled('a')],
          [1, result('failed', 'a')],
          [1, result('failed', 'a')],
          [12, due],
          [12, result('failed', 'a')],
          [12, result('failed', 'a')],
        ],
        'failed',
        [1, 1],
      ],
      [
        'three pushes, then 未同步',
        [
          [0, compiled('a')],
          [1, result('failed', 'a')],
          [12, due],
          [13, result('failed', 'a')],
          [40, due],
          [41, result('failed', 'a')],
          [99, due],
        ],
        'unsynced',
        [1, 1, 1],
      ],
      [
        'an unsynced device that reconnects is left alone',
        [
          [0, compiled('a')],
          [1, result('failed', 'a')],
          [12, due],
          [13, result('failed', 'a')],
          [40, due],
          [41, result('failed', 'a')],
          [50, lost, false],
          [60, greeted(null)],
        ],
        'unsynced',
        [1, 1, 1],
      ],
      [
        'a manual resend resets the attempts',
        [
          [0, compiled('a')],
          [1, result('failed', 'a')],
          [12, due],
          [13, result('failed', 'a')],
          [40, due],
          [41, result('failed', 'a')],
          [60, resend],
        ],
        'pushing',
        [1, 1, 1, 1],
      ],
      [
        'no answer in time counts',
        [
          [0, compiled('a')],
          [151, due],
        ],
        'failed',
        [1],
      ],
      [
        'a device that drifts gets its document again',
        [
          [0, compiled('a')],
          [1, result('confirmed', 'a')],
          [300, reported('x', 0)],
          [311, due],
        ],
        'pushing',
        [1, 1],
      ],
      [
        'reverted after it was applied',
        [
          [0, compiled('a')],
          [1, result('applied', 'a')],
          [130, result('reverted', 'a')],
        ],
        'reverted',
        [1],
      ],
      [
        'disconnected during apply, reconnected with the document',
        [
          [0, compiled('a')],
          [1, result('received', 'a')],
          [2, lost, false],
          [9, greeted('a')],
        ],
        'applied',
        [1],
      ],
      [
        'out of every network: the empty document is sent',
        [
          [0, compiled('a')],
          [1, result('applied', 'a')],
          [9, compiled('e', true)],
        ],
        'pushing',
        [1, 2],
      ],
      ['resend without a document', [[0, resend]], 'none', []],
      [
        'a hub without history finds the device up to date',
        [
          [0, greeted('a', 7)],
          [1, compiled('a', false, 7)],
        ],
        'applied',
        [],
      ],
    ])((_, script, state, pushed) => {
      const { view, pushes } = play(...script)
      expect({ state: view.state, pushes }).toEqual({ state, pushes: pushed })
    })
    expect(offenders).toEqual([])
  })

  it('reports the failure reason of the device', () => {
    expect(play([0, compiled('a')], [1, result('failed', 'a')]).view.reason).toBe('磁盘已满')
  })

  it('never decreases the version', () => {
    expect(play([0, compiled('a', false, 41)]).view.version).toBe(42)
    expect(play([0, greeted('x', 50)], [1, compiled('a', false, 41)]).view.version).toBe(51)
  })

  it('stops a device that fails while it reconnects all the time', () => {
    const script: Played[] = [[0, compiled('a')]]
    for (let i = 1; i < 10; i++) {
      script.push([i * 20, result('received', 'a')], [i * 20 + 1, lost, false], [i * 20 + 5, greeted(null)])
    }
    const { view, pushes } = play(...script)
    expect(view.state).toBe('unsynced')
    expect(pushes).toHaveLength(1 + CONFIG_PUSH.automaticTries)
  })

  it('schedules an alarm only while work is pending', () => {
    expect(configDue(play([0, compiled('a')], [1, result('applied', 'a')]).config)).toBeNull()
    expect(configDue(play([0, compiled('a')]).config)).toBe(T0 + CONFIG_PUSH.answerMs)
  })

  it('returns the same object for a report without changes', () => {
    const { config } = play([0, compiled('a')], [1, result('applied', 'a')])
    expect(stepConfig(config, reported('a'), true, T0 + 9000).config).toBe(config)
  })
})

describe('networks that a node refuses', () => {
  const applied = (...numbers: string[]): Played[1] => ({
    type: 'result',
    result: {
      t: 'config_result',
      version: 1,
      hash: 'a',
      state: 'applied',
      ...(numbers.length > 0 && {
        refused: numbers.map((network_number) => ({ network_number, reason: '端口被占用' })),
      }),
    },
  })
  const refusedAfter = (...script: readonly Played[]) => {
    const { config, view } = play([0, compiled('a')], ...script)
    return [view.state, config.refused.map(({ number }) => number)]
  }

  it('leave the document applied, and stand until its next result', () => {
    expect(refusedAfter([1, applied('N1', 'N2')])).toEqual(['applied', ['N1', 'N2']])
    expect(refusedAfter([1, applied('N1')], [2, reported('a')], [3, result('confirmed', 'a')])).toEqual([
      'applied',
      ['N1'],
    ])
    expect(refusedAfter([1, applied('N1')], [4, compiled('b')])).toEqual(['pushing', ['N1']])
    expect(refusedAfter([1, applied('N1')], [2, applied()])).toEqual(['applied', []])
  })
})

describe('time at which the device last ran its newest document', () => {
  const confirmedAt = (...script: readonly Played[]) => {
    const { view } = play([0, compiled('a')], [1, result('applied', 'a')], ...script)
    return [
      view.state,
      view.at === null ? null : (view.at - T0) / 1000,
      view.confirmed_at && (view.confirmed_at - T0) / 1000,
    ]
  }

  it('is the time of the state while it runs it, and is kept over later documents', () => {
    expect(confirmedAt()).toEqual(['applied', 1, undefined])
    expect(confirmedAt([9, compiled('b'), false])).toEqual(['queued', 9, 1])
    expect(confirmedAt([9, compiled('b')], [10, result('failed', 'b', 2)])).toEqual(['failed', 10, 1])
    expect(confirmedAt([9, compiled('b')], [12, reported('b', 2)])).toEqual(['applied', 12, undefined])
  })

  it('is lost once it went back to an older one', () => {
    expect(confirmedAt([60, result('reverted', 'a')])).toEqual(['reverted', 60, undefined])
  })
})
