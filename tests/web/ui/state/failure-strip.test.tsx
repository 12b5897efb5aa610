import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { useState } from 'react'
import { ApiError } from '#lib/call/transport.ts'
import { FailureStrip, useReportedFailure } from '#ui/state/failure-strip.tsx'

const FAULT = new ApiError(500, '系统异常', { requestId: 'req-1' })

function Part({ name, retry }: { readonly name: string; readonly retry: () => Promise<boolean> }) {
  const [error, setError] = useState<unknown>(FAULT)
  const isReported = useReportedFailure(error, async () => (await retry()) && setError(undefined))
  return <p>{`${name}：${error === undefined ? '内容' : isReported ? '暂未加载' : '自己的错误'}`}</p>
}

it('says once what failed, and one retry reads all of it again', async () => {
  const first = vi.fn<() => Promise<boolean>>(async () => true)
  const second = vi.fn<() => Promise<boolean>>(async () => false)
  render(
    <FailureStrip>
      <Part name="甲" retry={first} />
      <Part name="乙" retry={second} />
    </FailureStrip>,
  )
  expect(screen.getAllByRole('alert')).toHaveLength(1)
  expect(screen.getByRole('alert').textContent).toContain('2 项内容加载失败：系统异常')
  expect(screen.getByRole('alert').textContent).toContain('req-1')

  await userEvent.click(screen.getByRole('button', { name: '重试' }))
  await screen.findByText('甲：内容')
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('部分内容加载失败：系统异常'))
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1])

  second.mockResolvedValue(true)
  await waitFor(() => expect(screen.getByRole('button', { name: '重试' })).not.toHaveProperty('disabled', true))
  await userEvent.click(screen.getByRole('button', { name: '重试' }))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  expect(first).toHaveBeenCalledTimes(1)
})

it('without a strip around it a part shows its own failure', () => {
  render(<Part name="甲" retry={async () => true} />)
  expect(screen.queryByText('甲：自己的错误')).not.toBeNull()
})
