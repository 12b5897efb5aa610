import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '#lib/call/transport.ts'
import { confirmWithEnding, runOrConfirmEnding } from '#ui/dialog/confirm-settings-off.ts'
import { ConfirmHost } from '#ui/dialog/confirm.tsx'

const MSG = '“上海”是组网“总部”双中心点互通的一端，请先关闭互通，或确认后关闭'
const inUse = () => new ApiError(423, MSG, { reason: 'ROUTER_IN_CENTER_LINK' })
/** Refuses until it is confirmed. */
const sender = () =>
  vi.fn<(sent: { confirm?: 1 }) => Promise<void>>((sent) =>
    sent.confirm === 1 ? Promise.resolve() : Promise.reject(inUse()),
  )
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

describe('a change that ends a setting in use', () => {
  it('is asked for a second time, and then done with the confirmation', async () => {
    render(<ConfirmHost />)
    const send = sender()
    const done = confirmWithEnding({ title: '移除？', verb: '移除成员' }, send)
    await press('移除成员')
    await screen.findByText(`${MSG}。`)
    await press('确认后关闭并移除')
    expect(await done).toBe(true)
    expect(send.mock.calls).toEqual([[{}], [{ confirm: 1 }]])
  })
  it('is not done where the person keeps it', async () => {
    render(<ConfirmHost />)
    const send = sender()
    const done = runOrConfirmEnding(send)
    await press('取消')
    expect(await done).toBe(false)
    expect(send.mock.calls).toEqual([[{}]])
  })
  it('asks nothing where nothing is in use, and passes every other refusal', async () => {
    const send = vi.fn<() => Promise<void>>(() => Promise.resolve())
    expect(await runOrConfirmEnding(send)).toBe(true)
    const other = new ApiError(422, '组网已被其他人修改', { reason: 'NETWORK_CHANGED' })
    await expect(runOrConfirmEnding(() => Promise.reject(other))).rejects.toBe(other)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})
