import { expect, it } from 'vitest'
import type { ConfigEvent } from '#durable/router-hub/state/config-push.ts'
import { CONFIG_PUSH } from '#contract/kernel/hub-limits.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { type Played, compiled, due, emptied, greeted, lost, play, resend, result } from './config-script.ts'

const held = (hash: string): ConfigEvent => ({ ...compiled(hash), isHeld: true }) as ConfigEvent
const released = (version: number): ConfigEvent => ({ type: 'released', version })
const END = CONFIG_PUSH.holdMs / 1000
/** A first document that runs. */
const RUNS: readonly Played[] = [
  [0, compiled('a')],
  [1, result('applied', 'a')],
]

it('infra/docs/hubs.md · a document with new tunnels waits for its centres, and not for longer than the hold', async () => {
  const offenders = await findOffenders<readonly [string, readonly Played[], string, readonly number[]]>([
    ['waits', [...RUNS, [10, held('b')], [10 + END - 0.1, due]], 'pushing', [1]],
    ['goes at the end of the hold', [...RUNS, [10, held('b')], [10 + END, due]], 'pushing', [1, 2]],
    ['goes once it is released', [...RUNS, [10, held('b')], [10.4, released(2)]], 'pushing', [1, 2]],
    ['is pushed once', [...RUNS, [10, held('b')], [10.4, released(2)], [10 + END, due]], 'pushing', [1, 2]],
    ['others go at once', [...RUNS, [10, compiled('b')]], 'pushing', [1, 2]],
    [
      'the first one waits, too',
      [
        [0, held('a')],
        [1, due],
        [END, due],
      ],
      'pushing',
      [1],
    ],
    [
      'latest wins: a release of an earlier one pushes nothing, the hold ends with the first',
      [...RUNS, [10, held('b')], [11, held('c')], [11.5, released(2)], [10 + END, due]],
      'pushing',
      [1, 3],
    ],
    [
      'a change without tunnels during the hold waits with them',
      [...RUNS, [10, held('b')], [11, compiled('c')], [11.5, due], [11.6, released(3)]],
      'pushing',
      [1, 3],
    ],
    [
      'a release keeps the distance of pushes',
      [...RUNS, [0.2, held('b')], [0.4, released(2)], [1, due]],
      'pushing',
      [1, 2],
    ],
    ['a release without a hold pushes nothing', [...RUNS, [5, released(1)]], 'applied', [1]],
    [
      'one that is gone gets it with its return',
      [...RUNS, [10, held('b')], [11, lost, false], [12, greeted('a')]],
      'pushing',
      [1, 2],
    ],
    [
      'one that is away is not held',
      [...RUNS, [9, lost, false], [10, held('b'), false], [12, greeted('a')]],
      'pushing',
      [1, 2],
    ],
    [
      'nothing is held after the return',
      [...RUNS, [10, held('b')], [11, lost, false], [20, compiled('c')]],
      'pushing',
      [1, 3],
    ],
    ['the button does not wait', [...RUNS, [10, held('b')], [10.5, resend]], 'pushing', [1, 2]],
    ['an emptied device', [...RUNS, [10, held('b')], [11, emptied, false], [10 + END, due, false]], 'queued', [1]],
  ])((_, script, state, pushes) => {
    const played = play(...script)
    expect([played.view.state, played.pushes]).toEqual([state, pushes])
  })
  expect(offenders).toEqual([])
})
