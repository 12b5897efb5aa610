import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { DayRange } from '#lib/format/format-time.ts'
import { DateRange } from '#ui/form/dates/date-range.tsx'
import { DayInput } from '#ui/form/dates/day-input.tsx'

const NOON = Date.parse('2026-11-20T17:00:00Z') // the 21st in Shanghai
const onEscape = vi.fn<() => void>()

const loaded = vi.hoisted(() => ({ count: 0 }))
vi.mock('#ui/form/dates/calendar.tsx', (importOriginal) => {
  loaded.count++
  return importOriginal()
})

function Day() {
  const [day, setDay] = useState('2026-11-18')
  return (
    <div onKeyDown={({ key }) => key === 'Escape' && onEscape()}>
      <DayInput
        input={{
          'aria-label': '到期日',
          value: day,
          placeholder: '',
          onChange: setDay,
          onBlur: () => {},
          validateStatus: 'default',
          disabled: false,
        }}
        calendar={{
          label: '到期日',
          picks: 'day',
          value: { from: day, to: day },
          min: '2026-11-05',
          max: '2027-01-10',
          onPick: ({ from }) => setDay(from),
        }}
      />
      <button>旁边</button>
    </div>
  )
}

function Range({ onChange }: { readonly onChange: (range: DayRange | null) => void }) {
  const [value, setValue] = useState<DayRange | null>({ from: '2026-11-15', to: '2026-11-18' })
  const change = (next: DayRange | null) => {
    setValue(next)
    onChange(next)
  }
  return <DateRange label="时间范围" value={value} onChange={change} />
}

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: '到期日' })
const opener = () => screen.getByRole('button', { name: '打开日历' })
const calendar = () => screen.findByRole('dialog')
const cell = (day: string) => {
  const [year, month, number] = day.split('-').map(Number)
  return within(screen.getByRole('dialog')).getByRole('gridcell', { name: `${year}年${month}月${number}日` })
}
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const setWide = (isWide: boolean) => {
  const media = matchMedia('')
  vi.stubGlobal('matchMedia', (query: string) => ({ ...media, matches: isWide && query.includes('min-width') }))
}

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ['Date'] }))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  onEscape.mockClear()
})

it('loads when it is opened, and not with its field', async () => {
  render(<Day />)
  await act(async () => {})
  expect(loaded.count).toBe(0)
  await userEvent.click(opener())
  await calendar()
  expect(loaded.count).toBe(1)
  expect(opener().getAttribute('aria-expanded')).toBe('true')
})

it('opens by Down with the focus on the day, moves by keys, and gives the focus back with the day', async () => {
  render(<Day />)
  act(() => field().focus())
  await userEvent.keyboard('{ArrowDown}')
  await calendar()
  await waitFor(() => expect(document.activeElement).toBe(cell('2026-11-18')))
  expect(cell('2026-11-18').getAttribute('aria-selected')).toBe('true')
  expect(screen.getAllByRole('gridcell').filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1)
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await waitFor(() => expect(document.activeElement).toBe(cell('2026-12-02')))
  expect(screen.getByRole('heading').textContent).toBe('2026年12月')
  await userEvent.keyboard('{Enter}')
  await isClosed()
  expect(field().value).toBe('2026-12-02')
  expect(document.activeElement).toBe(field())
})

it('Escape closes it alone, unchanged, and gives the focus back', async () => {
  render(<Day />)
  await userEvent.click(opener())
  await calendar()
  await waitFor(() => expect(document.activeElement).toBe(cell('2026-11-18')))
  await userEvent.keyboard('{ArrowRight}{Escape}')
  await isClosed()
  expect(document.activeElement).toBe(opener())
  expect(field().value).toBe('2026-11-18')
  expect(onEscape).not.toHaveBeenCalled()
})

it('a press beside it closes it, one on its button does so once', async () => {
  render(<Day />)
  await userEvent.click(opener())
  await calendar()
  await userEvent.click(screen.getByRole('button', { name: '旁边' }))
  await isClosed()
  await userEvent.click(opener())
  await calendar()
  await userEvent.click(opener())
  await isClosed()
  expect(document.activeElement).toBe(opener())
})

it('disables days out of bounds and months that have none within them', async () => {
  render(<Day />)
  await userEvent.click(opener())
  await calendar()
  const isOff = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled
  expect(cell('2026-11-04').getAttribute('aria-disabled')).toBe('true')
  expect(cell('2026-11-05').getAttribute('aria-disabled')).toBe('false')
  await userEvent.click(cell('2026-11-04'))
  expect(field().value).toBe('2026-11-18')
  expect(['上一年', '上个月', '下个月', '下一年'].map(isOff)).toEqual([true, true, false, true])
  await userEvent.click(screen.getByRole('button', { name: '下个月' }))
  expect(document.activeElement).toBe(screen.getByRole('button', { name: '下个月' }))
  await userEvent.keyboard('{Enter}')
  expect(screen.getByRole('heading').textContent).toBe('2027年1月')
  expect(isOff('下个月')).toBe(true)
  expect(cell('2027-01-10').tabIndex).toBe(0)
  expect(cell('2027-01-11').getAttribute('aria-disabled')).toBe('true')
})

it('keeps Tab within it', async () => {
  render(<Day />)
  await userEvent.click(opener())
  await calendar()
  await waitFor(() => expect(document.activeElement).toBe(cell('2026-11-18')))
  await userEvent.tab()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: '下个月' }))
  await userEvent.tab({ shift: true })
  expect(document.activeElement).toBe(cell('2026-11-18'))
})

it('marks the today of Shanghai, whatever the zone of the browser', async () => {
  render(<Day />)
  await userEvent.click(opener())
  await calendar()
  expect(cell('2026-11-21').getAttribute('aria-current')).toBe('date')
  expect(screen.getAllByRole('gridcell').filter((one) => one.hasAttribute('aria-current'))).toHaveLength(1)
})

it('takes the two ends of a range in any order, on two months where there is room', async () => {
  setWide(true)
  const onChange = vi.fn<(range: DayRange | null) => void>()
  render(<Range onChange={onChange} />)
  await userEvent.click(screen.getAllByRole('button', { name: '打开日历' })[0]!)
  await calendar()
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['2026年10月', '2026年11月'])
  await userEvent.click(cell('2026-11-10'))
  expect(screen.getByRole('status').textContent).toBe('请选择结束日期')
  expect(onChange).not.toHaveBeenCalled()
  await userEvent.click(cell('2026-10-28'))
  expect(onChange).toHaveBeenLastCalledWith({ from: '2026-10-28', to: '2026-11-10' })
  await isClosed()
})

it('opens at the day that is typed, before that is left', async () => {
  render(<Range onChange={() => {}} />)
  await userEvent.clear(screen.getByLabelText('结束日期'))
  await userEvent.type(screen.getByLabelText('结束日期'), '2027/3/5{ArrowDown}')
  await calendar()
  await waitFor(() => expect(document.activeElement).toBe(cell('2027-03-05')))
  await userEvent.keyboard('{ArrowRight}{Enter}')
  expect(screen.getByLabelText<HTMLInputElement>('结束日期').value).toBe('2027-03-06')
})

it('opened at the end of a range, it takes that end; a narrow screen has one month', async () => {
  setWide(false)
  const onChange = vi.fn<(range: DayRange | null) => void>()
  render(<Range onChange={onChange} />)
  act(() => screen.getByLabelText('结束日期').focus())
  fireEvent.keyDown(screen.getByLabelText('结束日期'), { key: 'ArrowDown', altKey: true })
  await calendar()
  expect(screen.getAllByRole('heading')).toHaveLength(1)
  await userEvent.click(cell('2026-11-20'))
  expect(onChange).toHaveBeenLastCalledWith({ from: '2026-11-15', to: '2026-11-20' })
  await isClosed()
  expect(document.activeElement).toBe(screen.getByLabelText('结束日期'))
})
