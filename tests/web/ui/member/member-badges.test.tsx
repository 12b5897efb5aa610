import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { timeText } from '#lib/format/format-time.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { PathsBadge, PresenceBadge, PresenceCell } from '#ui/member/member-badges.tsx'

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

it('离线 begins with the last contact; the tooltip names the decision, too', async () => {
  const away = { state: 'offline', since: 99_000, last_seen: 24_000, reason: '' } as const
  render(<PresenceBadge presence={away} type={ROUTER_TYPE.hardware} isStale={false} />)
  await userEvent.hover(screen.getByText('离线'))
  const fact = async (name: string) => (await screen.findByText(name)).nextElementSibling?.textContent
  expect([await fact('开始于'), await fact('判定于')]).toEqual([timeText(24_000), timeText(99_000)])
})
