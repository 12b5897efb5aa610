import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { SearchBox } from '#ui/table/filter-bar.tsx'
import { ConfigTag, LinkBadge, StatusBadge } from '#ui/state/status-badge.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { Wizard } from '#ui/layout/wizard.tsx'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('every state has a word and a shape of its own', () => {
  const states = ['online', 'reconnecting', 'offline', 'flapping', 'unreadable', 'never', 'disabled'] as const
  const { container } = render(states.map((state) => <StatusBadge key={state} state={state} />))
  const lights = [...container.querySelectorAll('.nl-status')]
  expect(lights.map((light) => light.textContent)).toEqual([
    '在线',
    '重连中',
    '离线',
    '抖动',
    '未知',
    '从未上线',
    '已停用',
  ])
  expect(new Set(lights.map((light) => light.querySelector('svg')?.innerHTML)).size).toBe(states.length)
})

it('configuration and link states show their labels, greyed while the live channel is down', () => {
  const configs = ['applied', 'pushing', 'queued', 'failed', 'unsynced', 'reverted'] as const
  const { container } = render(
    <>
      {configs.map((state) => (
        <ConfigTag key={state} state={state} />
      ))}
      <LinkBadge state="one_sided" stale />
    </>,
  )
  const words = [...container.querySelectorAll('.nl-status')].map((light) => light.textContent)
  expect(words).toEqual(['已生效', '下发中', '排队', '失败', '未同步', '已回退', '单边'])
  expect(container.querySelector('.nl-status:last-child .nl-icon, .nl-tooltip .nl-icon')?.classList).toContain(
    'nl-tone-idle',
  )
})

it('relative time moves on by itself', () => {
  vi.useFakeTimers({ now: Date.parse('2026-01-15T00:00:30Z') })
  render(<TimeText at={Date.parse('2026-01-15T00:00:00Z')} mode="relative" />)
  expect(screen.queryByText('刚刚')).not.toBeNull()
  act(() => vi.advanceTimersByTime(30_000))
  expect(screen.queryByText('1 分钟前')).not.toBeNull()
})

it('a missing time is never 1970', () => {
  render(<TimeText at={null} never="从未" />)
  expect(screen.queryByText('从未')).not.toBeNull()
})

it('copies, and shows a failure', async () => {
  const user = userEvent.setup()
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValueOnce()
  render(<CopyText text="NW1" />)
  await user.click(screen.getByRole('button'))
  expect(write).toHaveBeenCalledWith('NW1')
  expect(screen.getByRole('status').textContent).toBe('复制成功')
  write.mockRejectedValueOnce(new Error('denied'))
  await user.click(screen.getByRole('button'))
  expect(screen.getByRole('status').textContent).toContain('复制失败')
})

it('searches once, after the last key, and not half-composed pinyin', () => {
  vi.useFakeTimers()
  const onChange = vi.fn<(text: string) => void>()
  render(<SearchBox label="搜索" value="" onChange={onChange} />)
  const box = screen.getByRole('textbox', { name: '搜索' })
  fireEvent.change(box, { target: { value: 'a' } })
  act(() => vi.advanceTimersByTime(200))
  fireEvent.change(box, { target: { value: 'ab ' } })
  act(() => vi.advanceTimersByTime(299))
  expect(onChange).not.toHaveBeenCalled()
  act(() => vi.advanceTimersByTime(1))
  expect(onChange.mock.calls).toEqual([['ab']])
  expect((box as HTMLInputElement).value).toBe('ab ')

  fireEvent.compositionStart(box)
  fireEvent.change(box, { target: { value: 'zong' } })
  act(() => vi.advanceTimersByTime(1_000))
  expect(onChange).toHaveBeenCalledTimes(1)
  fireEvent.change(box, { target: { value: '总' } })
  fireEvent.compositionEnd(box)
  act(() => vi.advanceTimersByTime(300))
  expect(onChange).toHaveBeenLastCalledWith('总')
})

it('a late answer does not overwrite what was typed since; a search cleared elsewhere empties the box', () => {
  vi.useFakeTimers()
  const page = (value: string) => <SearchBox label="搜索" value={value} onChange={() => {}} />
  const { rerender } = render(page(''))
  const box = screen.getByRole<HTMLInputElement>('textbox', { name: '搜索' })
  fireEvent.change(box, { target: { value: 'ab' } })
  act(() => vi.advanceTimersByTime(300))
  fireEvent.change(box, { target: { value: 'abc' } })
  rerender(page('ab'))
  expect(box.value).toBe('abc')
  rerender(page(''))
  expect(box.value).toBe('')
  act(() => vi.advanceTimersByTime(1_000))
  expect(box.value).toBe('')
})

it('a wizard marks its step and moves the focus to the next', () => {
  const steps = ['验证身份', '修改密码', '完成']
  const page = (step: number) => (
    <Wizard steps={steps} step={step}>
      <input aria-label={steps[step]} key={step} />
    </Wizard>
  )
  const { rerender } = render(page(0))
  expect(document.activeElement).toBe(document.body)
  rerender(page(1))
  expect(screen.getByText(/第 \d 步/).textContent).toBe('第 2 步，共 3 步：修改密码')
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: '修改密码' }))
})
