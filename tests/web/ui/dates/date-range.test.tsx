import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { DayRange } from '#lib/format/format-time.ts'
import { DateRange } from '#ui/form/dates/date-range.tsx'

const NOON = Date.parse('2026-11-20T17:00:00Z') // the 21st in Shanghai
const WEEK = { from: '2026-11-15', to: '2026-11-21' }

interface SampleProps {
  readonly onChange: (range: DayRange | null) => void
  readonly start?: DayRange | null
}

function Sample({ onChange, start = null }: SampleProps) {
  const [value, setValue] = useState<DayRange | null>(start)
  const change = (next: DayRange | null) => {
    setValue(next)
    onChange(next)
  }
  return <DateRange label="时间范围" value={value} onChange={change} />
}

function open(props: Omit<SampleProps, 'onChange'> = {}) {
  const onChange = vi.fn<(range: DayRange | null) => void>()
  render(<Sample onChange={onChange} {...props} />)
  return onChange
}
const day = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const retype = async (label: string, text: string) => {
  await userEvent.clear(day(label))
  await userEvent.type(day(label), text)
}

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

it.each([
  ['今天', '2026-11-21'],
  ['近7天', '2026-11-15'],
  ['近30天', '2026-10-23'],
])('%s is one press, in days of Shanghai, and says that it is on', async (name, from) => {
  const onChange = open()
  const button = screen.getByRole('button', { name })
  expect(button.getAttribute('aria-pressed')).toBe('false')
  await userEvent.click(button)
  expect(onChange).toHaveBeenLastCalledWith({ from, to: '2026-11-21' })
  expect(button.getAttribute('aria-pressed')).toBe('true')
  expect(day('开始日期').value).toBe(from)
})

it('takes a typed end when it is left or Enter is pressed, and writes it in full', async () => {
  const onChange = open()
  await retype('开始日期', '2026/11/3')
  expect(onChange).not.toHaveBeenCalled()
  await userEvent.tab()
  expect(onChange).toHaveBeenLastCalledWith({ from: '2026-11-03', to: '2026-11-03' })
  expect(day('开始日期').value).toBe('2026-11-03')
  await retype('结束日期', '20261109{Enter}')
  expect(onChange).toHaveBeenLastCalledWith({ from: '2026-11-03', to: '2026-11-09' })
  expect(day('结束日期').value).toBe('2026-11-09')
  expect(onChange).toHaveBeenCalledTimes(2)
})

it('keeps an incomplete or impossible text with a message, and the range as it was', async () => {
  const onChange = open({ start: WEEK })
  await retype('结束日期', '2026-11')
  expect(screen.queryByRole('alert')).toBeNull()
  await userEvent.tab()
  expect(screen.getByRole('alert').textContent).toBe('结束日期不正确，请按 yyyy-MM-dd 填写')
  expect(day('结束日期').value).toBe('2026-11')
  expect(day('结束日期').getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id)
  await retype('结束日期', '1999-12-31{Enter}')
  expect(screen.getByRole('alert').textContent).toBe('结束日期不能早于2000-01-01')
  expect(onChange).not.toHaveBeenCalled()
  await retype('结束日期', '2026-11-22{Enter}')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(onChange).toHaveBeenLastCalledWith({ from: '2026-11-15', to: '2026-11-22' })
})

it('says what is wrong with each of both ends', async () => {
  open({ start: WEEK })
  await retype('开始日期', '昨天')
  await retype('结束日期', '2100-01-01{Enter}')
  const message = '开始日期不正确，请按 yyyy-MM-dd 填写；结束日期不能晚于2099-12-31'
  expect(screen.getByRole('alert').textContent).toBe(message)
  await retype('结束日期', '2026-11-20{Enter}')
  expect(screen.getByRole('alert').textContent).toBe('开始日期不正确，请按 yyyy-MM-dd 填写')
})

it('a preset takes the place of what was typed', async () => {
  open({ start: WEEK })
  await retype('开始日期', '2026-1{Enter}')
  expect(screen.queryByRole('alert')).not.toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '今天' }))
  expect(screen.queryByRole('alert')).toBeNull()
  expect(day('开始日期').value).toBe('2026-11-21')
})

it('an emptied end clears the range', async () => {
  const onChange = open({ start: WEEK })
  await userEvent.clear(day('开始日期'))
  await userEvent.tab()
  expect(onChange).toHaveBeenLastCalledWith(null)
  await waitFor(() => expect(day('结束日期').value).toBe(''))
})
