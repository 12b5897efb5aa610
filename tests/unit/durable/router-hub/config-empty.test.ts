import { describe, expect, it } from 'vitest'
import { CONFIG_WORD } from '#contract/kernel/states.ts'
import { type Played, play, compiled, emptied, result, reported, greeted, resend } from './config-script.ts'

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
      'and where only its counters report it',
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

describe('a device that was closed with 4002', () => {
  it.each<readonly [string, readonly Played[], string, readonly number[]]>([
    ['waits for its document', [[2, emptied]], '排队', [1]],
    [
      'gets it at once when it is back, without a failure',
      [
        [2, emptied],
        [400, greeted(null)],
      ],
      '下发中',
      [1, 1],
    ],
    [
      'needs nothing where it was away and has kept it',
      [
        [2, emptied, false],
        [400, greeted('a')],
      ],
      '已生效',
      [1],
    ],
  ])('%s', (_, script, word, versions) => {
    const { view, pushes } = play([0, compiled('a')], [1, result('confirmed', 'a')], ...script)
    expect(CONFIG_WORD[view.state]).toBe(word)
    expect(pushes).toEqual(versions)
  })
})
