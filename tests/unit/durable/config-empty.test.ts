import { describe, expect, it } from 'vitest'
import { type Played, play, compiled, result, reported, greeted, resend } from './config-script.ts'

describe('a router of which nothing was ever desired', () => {
  it.each<readonly [string, readonly Played[], string, readonly number[]]>([
    ['never in a network', [[0, compiled('e', true)]], 'none', []],
    [
      'never in a network, and runs nothing',
      [
        [0, compiled('e', true)],
        [1, greeted(null)],
      ],
      'none',
      [],
    ],
    [
      'never in a network, and emptied already',
      [
        [0, compiled('e', true)],
        [1, greeted('e', 4)],
      ],
      'none',
      [],
    ],
    [
      'a device that comes with the document of another account is emptied',
      [
        [0, compiled('e', true)],
        [1, greeted('theirs', 4)],
      ],
      'pushing',
      [5],
    ],
    [
      'the same where it connects before its rows have been read',
      [
        [0, greeted('theirs', 4)],
        [1, compiled('e', true)],
        [2, result('applied', 'e', 5)],
      ],
      'applied',
      [5],
    ],
    [
      'and where only its counters tell',
      [
        [0, compiled('e', true)],
        [1, reported('theirs', 4)],
      ],
      'pushing',
      [5],
    ],
    [
      'a network after that',
      [
        [0, compiled('e', true)],
        [1, greeted('theirs', 4)],
        [9, compiled('a')],
      ],
      'pushing',
      [5, 6],
    ],
    [
      'nothing to send again where nothing was ever desired',
      [
        [0, compiled('e', true)],
        [1, resend],
      ],
      'none',
      [],
    ],
  ])('%s', (_, script, state, versions) => {
    const { view, pushes } = play(...script)
    expect(view.state).toBe(state)
    expect(pushes).toEqual(versions)
  })
})
