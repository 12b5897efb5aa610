import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { PresenceCell } from '#ui/member/member-badges.tsx'

const presence = (state: 'offline' | 'flapping') => ({ state, since: null, last_seen: null, reason: '' })

it.each([
  ['hardware', 'offline', '离线', 'nl-tone-bad'],
  ['software', 'offline', '离线', 'nl-tone-idle'],
  ['software', 'flapping', '抖动', 'nl-tone-warn'],
] as const)('a %s member that is %s has its tone', (type, state, word, tone) => {
  render(<PresenceCell presence={presence(state)} type={ROUTER_TYPE[type]} isStale={false} />)
  expect(screen.getByText(word).closest('.nl-status')?.className).toContain(tone)
})
