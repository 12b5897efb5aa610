import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type TimeWindow, TimeWindowField, lastWindow } from '#ui/form/dates/time-window.tsx'

const NOW = Date.parse('2026-11-20T17:00:30Z') // 01:00:30 of the 21st in Shanghai
const at = (text: string) => Date.parse(`${text}+08:00`)

function open() {
  const onChange = vi.fn<(window: TimeWindow) => void>()
  function Sample() {
    const [value, setValue] = useState(lastWindow(3_600_000, NOW))
    const change = (next: TimeWindow) => {
      setValue(next)
      onChange(next)
    }
    const limit = { spanMs: 180 * 86_400_000, sentence: '最多查询最近180天' }
    return <TimeWindowField label="时间范围" value={value} onChange={change} limit={limit} />
  }
  render(<Sample />)
  return onChange
}
const time = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const retype = async (label: string, text: string) => {
  await userEvent.clear(time(label))
  await userEvent.type(time(label), text)
}
const search = () => userEvent.click(screen.getByRole('button', { name: '查询' }))

beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

it('shows the window in Shanghai, and takes typed times when asked to', async () => {
  const onChange = open()
  expect([time('开始时间').value, time('结束时间').value]).toEqual(['2026-11-21 00:00', '2026-11-21 01:00'])
  expect(screen.queryByRole('button', { name: '查询' })).toBeNull()
  await retype('开始时间', '2026/11/20 9:05')
  await userEvent.tab()
  expect(time('开始时间').value).toBe('2026-11-20 09:05')
  expect(onChange).not.toHaveBeenCalled()
  await search()
  expect(onChange).toHaveBeenCalledWith({ fromMs: at('2026-11-20T09:05:00'), toMs: at('2026-11-21T01:00:00') })
  await retype('结束时间', '2026-11-20 10:00{Enter}')
  expect(onChange).toHaveBeenLastCalledWith({ fromMs: at('2026-11-20T09:05:00'), toMs: at('2026-11-20T10:00:00') })
})

it.each([
  ['开始时间', '2026-11-20', '开始时间不正确，请按 yyyy-MM-dd HH:mm 填写'],
  ['结束时间', '2026-11-21 25:00', '结束时间不正确，请按 yyyy-MM-dd HH:mm 填写'],
  ['结束时间', '2026-11-20 23:00', '结束时间不能早于开始时间'],
  ['开始时间', '2026-01-01 00:00', '最多查询最近180天'],
])('%s %s is refused at its field', async (label, text, message) => {
  const onChange = open()
  await retype(label, text)
  await search()
  expect(screen.getByRole('alert').textContent).toBe(message)
  expect(time(label).getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id)
  expect(onChange).not.toHaveBeenCalled()
})

it('the calendar sets the day and leaves the time; days before the limit are off', async () => {
  open()
  await userEvent.click(screen.getAllByRole('button', { name: '打开日历' })[0]!)
  const calendar = within(await screen.findByRole('dialog'))
  await userEvent.click(await calendar.findByRole('gridcell', { name: '2026年11月3日' }))
  expect(time('开始时间').value).toBe('2026-11-03 00:00')
  await userEvent.click(screen.getAllByRole('button', { name: '打开日历' })[0]!)
  for (let month = 0; month < 6; month++) await userEvent.click(screen.getByRole('button', { name: '上个月' }))
  const isOff = (day: string) => screen.getByRole('gridcell', { name: day }).getAttribute('aria-disabled')
  expect([isOff('2026年5月24日'), isOff('2026年5月25日')]).toEqual(['true', 'false'])
})
