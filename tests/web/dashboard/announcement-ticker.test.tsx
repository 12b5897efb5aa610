import { act, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { TICKER_MS } from '#contract/kernel/limits.ts'
import { AnnouncementTicker } from '#pages/dashboard/announcement-ticker.tsx'

const rows = [
  { id: 1, title: '一', tag: '' },
  { id: 2, title: '二', tag: '' },
]
const title = () => screen.getAllByRole('link')[0]!
const shown = () => title().textContent
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))
const dismiss = vi.fn<(id: number) => void>()
const open = (list = rows) => render(<AnnouncementTicker rows={list} onDismiss={dismiss} />, { wrapper: MemoryRouter })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('rotates every five seconds and wraps around (account 2)', () => {
  open()
  expect(shown()).toBe('一')
  pass(TICKER_MS - 1)
  expect(shown()).toBe('一')
  pass(1)
  expect(shown()).toBe('二')
  pass(TICKER_MS)
  expect(shown()).toBe('一')
})

it('pauses on hover and on focus', () => {
  open()
  const ticker = screen.getByRole('region', { name: '公告' })
  fireEvent.pointerEnter(ticker)
  pass(TICKER_MS * 3)
  expect(shown()).toBe('一')
  fireEvent.pointerLeave(ticker)
  fireEvent.focus(title())
  pass(TICKER_MS * 3)
  expect(shown()).toBe('一')
  fireEvent.blur(title())
  pass(TICKER_MS)
  expect(shown()).toBe('二')
})

it('leads to all of them', () => {
  open()
  expect(screen.getByRole('link', { name: '全部公告' }).getAttribute('href')).toBe('/account/announcements')
})

it('dismisses the announcement that is shown', () => {
  const { rerender } = open()
  pass(TICKER_MS)
  fireEvent.click(screen.getByRole('button', { name: '不再显示公告“二”' }))
  expect(dismiss.mock.calls).toEqual([[2]])
  rerender(<AnnouncementTicker rows={rows.slice(0, 1)} onDismiss={dismiss} />)
  expect(shown()).toBe('一')
})

it('is not rendered without announcements', () => {
  open([])
  expect(screen.queryByRole('region')).toBeNull()
})
