import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DayRange } from '#lib/format/format-time.ts'
import { DateRange } from '#ui/form/dates/date-range.tsx'
import { rangeWith } from '#ui/form/dates/day-inputs.tsx'

const NOON = Date.parse('2026-11-20T17:00:00Z') // the 21st in Shanghai

const loaded = vi.hoisted(() => ({ picker: 0 }))
vi.mock('#ui/form/dates/date-range-picker.tsx', () => {
  loaded.picker++
  return { default: () => <span>日历</span> }
})

function Sample({ onChange, disabled = false }: { onChange: (range: DayRange | null) => void; disabled?: boolean }) {
  const [value, setValue] = useState<DayRange | null>(null)
  const change = (next: DayRange | null) => {
    setValue(next)
    onChange(next)
  }
  return <DateRange label="时间范围" value={value} onChange={change} disabled={disabled} />
}

function open(isPhone: boolean, disabled = false) {
  const media = matchMedia('')
  vi.stubGlobal('matchMedia', (query: string) => ({ ...media, matches: isPhone && query.includes('max-width: 600px') }))
  const onChange = vi.fn<(range: DayRange | null) => void>()
  render(<Sample onChange={onChange} disabled={disabled} />)
  return onChange
}
const day = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ['Date'] }))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it.each([
  ['今天', '2026-11-21'],
  ['近7天', '2026-11-15'],
  ['近30天', '2026-10-23'],
])('%s is one press, in days of Shanghai, and says that it is on', async (name, from) => {
  const onChange = open(true)
  const button = screen.getByRole('button', { name })
  expect(button.getAttribute('aria-pressed')).toBe('false')
  await userEvent.click(button)
  expect(onChange).toHaveBeenLastCalledWith({ from, to: '2026-11-21' })
  expect(button.getAttribute('aria-pressed')).toBe('true')
  expect(day('开始日期').value).toBe(from)
})

it('a phone shows its own calendar and never loads ours', () => {
  const onChange = open(true)
  fireEvent.change(day('开始日期'), { target: { value: '2026-11-03' } })
  expect(onChange).toHaveBeenLastCalledWith({ from: '2026-11-03', to: '2026-11-03' })
  fireEvent.change(day('结束日期'), { target: { value: '2026-11-09' } })
  expect(onChange).toHaveBeenLastCalledWith({ from: '2026-11-03', to: '2026-11-09' })
  expect(screen.queryByRole('button', { pressed: true })).toBeNull()
  expect(loaded.picker).toBe(0)
})

it('on desktops the calendar loads lazily', async () => {
  open(false)
  expect(screen.queryByText('日历')).toBeNull()
  await screen.findByText('日历')
})

it('is off as a whole', () => {
  open(true, true)
  const parts = [...screen.getAllByRole<HTMLButtonElement>('button'), day('开始日期'), day('结束日期')]
  expect(parts.map(({ disabled }) => disabled)).toEqual([true, true, true, true, true])
})

describe('a range whose end moves', () => {
  const week = { from: '2026-11-01', to: '2026-11-07' }
  it.each([
    [null, 'from', '2026-11-03', { from: '2026-11-03', to: '2026-11-03' }],
    [week, 'from', '2026-11-05', { from: '2026-11-05', to: '2026-11-07' }],
    [week, 'from', '2026-11-09', { from: '2026-11-09', to: '2026-11-09' }],
    [week, 'to', '2026-10-20', { from: '2026-10-20', to: '2026-10-20' }],
    [week, 'to', '', null],
  ] as const)('%j, %s → %s', (value, end, to, range) => expect(rangeWith(value, end, to)).toEqual(range))
})
