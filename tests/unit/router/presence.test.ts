import { expect, it } from 'vitest'
import { stateOfStatus } from '#domain/router/presence.ts'

const NOW = 2_000

it.each([
  [0, null, { presence: 'disabled', since: NOW }],
  [0, 1_000, { presence: 'disabled', since: NOW }],
  [1, null, { presence: 'never', since: null }],
  [1, 1_000, { presence: 'offline', since: NOW }],
] as const)('a member with status %i that was last seen at %s is %o', (status, lastSeenAt, expected) => {
  expect(stateOfStatus(status, { lastSeenAt, now: NOW })).toEqual(expected)
})
