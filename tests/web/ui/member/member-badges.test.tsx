import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { PathsBadge, PresenceCell } from '#ui/member/member-badges.tsx'

const presence = (state: 'offline' | 'flapping') => ({ state, since: null, last_seen: null, reason: '' })

it.each([
  ['hardware', 'offline', '离线', 'nl-tone-bad'],
  ['software', 'offline', '离线', 'nl-tone-idle'],
  ['software', 'flapping', '抖动', 'nl-tone-warn'],
] as const)('a %s member that is %s has its tone', (type, state, word, tone) => {
  render(<PresenceCell presence={presence(state)} type={ROUTER_TYPE[type]} isStale={false} />)
  expect(screen.getByText(word).closest('.nl-status')?.className).toContain(tone)
})

it.each([
  ['all up', { up: 2, unknown: 0, total: 2, single_center: 0 }, '2/2', 'ok'],
  ['one broken', { up: 1, unknown: 0, total: 2, single_center: 1 }, '1/2 单中心', 'warn'],
  ['all broken', { up: 0, unknown: 0, total: 2, single_center: 0 }, '0/2', 'bad'],
  ['all unknown', { up: 0, unknown: 2, total: 2, single_center: 0 }, '未知 2', 'idle'],
  ['one unknown', { up: 1, unknown: 1, total: 2, single_center: 0 }, '1/2（未知 1）', 'idle'],
  ['one lost with its centre', { up: 1, unknown: 1, total: 2, single_center: 1 }, '1/2（未知 1） 单中心', 'warn'],
  ['one broken, the others unknown', { up: 0, unknown: 2, total: 3, single_center: 0 }, '0/3（未知 2）', 'warn'],
] as const)('links of a member, %s', (_, paths, word, tone) => {
  render(<PathsBadge paths={paths} isAbsent={false} isStale={false} />)
  expect(screen.getByText(word).closest('.nl-status')?.className).toContain(`nl-tone-${tone}`)
})
