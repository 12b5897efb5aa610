import { fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { RouterEvents } from '#contract/router/views.ts'
import { StateBar } from '#ui/chart/bars/state-bar.tsx'
import { toSegments } from '#ui/chart/bars/state-segments.ts'
import { TransitionList } from '#ui/state/transition-list.tsx'

const HOUR = 3_600_000
const to = Date.parse('2026-01-15T02:30:00Z')
const bar = (start: RouterEvents['bar']['start']) => ({ from: to - 24 * HOUR, to, start })
type Transition = RouterEvents['transitions'][number]
const change = (hoursAgo: number, from: Transition['from'], next: Transition['to'], reason = ''): Transition => ({
  from,
  to: next,
  at: to - hoursAgo * HOUR,
  reason,
})
const segments = (start: RouterEvents['bar']['start'], transitions: Transition[]) =>
  toSegments({ bar: bar(start), transitions }).map(({ state, fromMs, toMs }) => [state, (toMs - fromMs) / HOUR])

describe('segments of a bar', () => {
  it('cover its time without gaps, and leave out what came before', () => {
    const transitions = [change(2, 'offline', 'online'), change(5, 'online', 'offline'), change(30, 'never', 'online')]
    expect(segments('online', transitions)).toEqual([
      ['online', 19],
      ['offline', 3],
      ['online', 2],
    ])
    expect(segments('never', [])).toEqual([['never', 24]])
  })

  it('start unknown where the start is, and end with the bar', () => {
    expect(segments(null, [change(-0.01, 'offline', 'online'), change(6, 'online', 'offline')])).toEqual([
      [null, 18],
      ['offline', 6],
    ])
  })

  it('that follow each other have different states', () => {
    expect(segments('online', [change(3, 'never', 'online')])).toEqual([['online', 24]])
  })
})

it('a bar says its states in words, each with a form of its own', () => {
  const events = { bar: bar('online'), transitions: [change(1, 'offline', 'online'), change(4, 'online', 'offline')] }
  const { container, rerender } = render(<StateBar label="过去 24 小时" events={events} />)
  expect(screen.getByRole('img').getAttribute('aria-label')).toBe('过去 24 小时：在线 21 小时，离线 3 小时')
  const forms = [...container.querySelectorAll<HTMLElement>('.nl-state-segment')]
  expect(forms.map(({ dataset, style }) => [dataset['state'], Number(style.flexGrow) / HOUR])).toEqual([
    ['online', 20],
    ['offline', 3],
    ['online', 1],
  ])
  const shares = [...container.querySelectorAll('.nl-state-shares > span')].map(({ textContent }) => textContent)
  expect(shares).toEqual(['在线 21 小时', '离线 3 小时'])
  expect(container.querySelector('[data-stale]')).toBeNull()
  rerender(<StateBar label="过去 24 小时" events={events} isStale />)
  expect(container.querySelector('[data-stale]')).not.toBeNull()
})

it('a list shows the first changes with reason and time, and all on request', () => {
  const transitions = Array.from({ length: 7 }, (_, n) => change(n, 'online', 'offline', `原因 ${n}`))
  render(<TransitionList label="最近事件" transitions={transitions} shown={2} empty="没有状态变化" />)
  const list = screen.getByRole('list', { name: '最近事件' })
  const texts = () =>
    within(list)
      .getAllByRole('listitem')
      .map((item) => item.textContent)
  expect(texts()).toEqual(['在线→变为离线2026-01-15 10:30:00原因 0', '在线→变为离线2026-01-15 09:30:00原因 1'])
  fireEvent.click(screen.getByRole('button', { name: '全部 7 条' }))
  expect(texts()).toHaveLength(7)
})

it('a list without changes says so', () => {
  render(<TransitionList label="最近事件" transitions={[]} empty="过去 48 小时没有状态变化" />)
  expect(screen.queryByText('过去 48 小时没有状态变化')).not.toBeNull()
})
