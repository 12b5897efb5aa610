import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { expect, it, vi } from 'vitest'
import { ApiError } from '#lib/call/transport.ts'
import { confirm, ConfirmHost, type Question } from '#ui/dialog/confirm.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'

const user = userEvent.setup()
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

async function ask(question: Question): Promise<{ answer: () => boolean | undefined }> {
  render(
    <StrictMode>
      <ConfirmHost />
    </StrictMode>,
  )
  let answered: boolean | undefined
  void confirm(question).then((yes) => (answered = yes))
  await screen.findByRole('alertdialog', { name: question.title })
  return { answer: () => answered }
}

it('names what will be deleted, focuses cancel, and resolves to the answer', async () => {
  const { answer } = await ask({
    title: '删除 2 台路由器？',
    body: '删除后无法恢复。',
    items: ['总部', '分公司'],
    verb: '删除 2 台路由器',
    danger: true,
  })
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['总部', '分公司'])
  const described = screen.getByRole('alertdialog').getAttribute('aria-describedby')
  expect(document.getElementById(described ?? '')?.textContent).toBe('删除后无法恢复。总部分公司')
  expect(document.activeElement).toBe(button('取消'))
  await user.click(button('删除 2 台路由器'))
  await waitFor(() => expect(answer()).toBe(true))
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

it('Escape resolves to false', async () => {
  const { answer } = await ask({ title: '你确定要退出登录吗？', verb: '退出登录' })
  await user.keyboard('{Escape}')
  await waitFor(() => expect(answer()).toBe(false))
})

it('waits for the text, whatever blanks stand around it', async () => {
  const { answer } = await ask({ title: '批量删除', verb: '删除', typed: '确认操作' })
  expect(document.activeElement).toBe(screen.getByRole('textbox'))
  for (const wrong of ['确认', '确认操作了']) {
    await user.clear(screen.getByRole('textbox'))
    await user.type(screen.getByRole('textbox'), `${wrong}{Enter}`)
    expect(button('删除').disabled).toBe(true)
    expect(answer()).toBeUndefined()
  }
  await user.clear(screen.getByRole('textbox'))
  await user.type(screen.getByRole('textbox'), ' 确认操作 {Enter}')
  await waitFor(() => expect(answer()).toBe(true))
})

it('remains open with the reason when the action is refused, and can be retried', async () => {
  const run = vi
    .fn<() => Promise<void>>()
    .mockRejectedValueOnce(new ApiError(423, '设备当前离线'))
    .mockResolvedValueOnce(undefined)
  const { answer } = await ask({ title: '是否关闭?', verb: '关闭', run })
  // `关闭` is also the name of the cross in the corner.
  const verb = () => screen.getAllByRole('button', { name: '关闭' }).at(-1)!
  await user.click(verb())
  expect((await screen.findByRole('alert')).textContent).toBe('设备当前离线')
  expect(answer()).toBeUndefined()
  await user.click(verb())
  await waitFor(() => expect(answer()).toBe(true))
})

it('Escape closes the topmost layer only, and the focus goes back', async () => {
  const onClose = vi.fn<() => void>()
  render(
    <>
      <Dialog title="下层" onClose={onClose}>
        <button>打开</button>
      </Dialog>
      <ConfirmHost />
    </>,
  )
  screen.getByRole('button', { name: '打开' }).focus()
  void confirm({ title: '上层', verb: '好' })
  await screen.findByRole('alertdialog')
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(onClose).not.toHaveBeenCalled()
  expect(document.activeElement?.textContent).toBe('打开')
  await user.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledTimes(1)
})

it('shows an error when the dialog’s chunk does not load', async () => {
  vi.resetModules()
  vi.doMock('#ui/dialog/confirm-dialog.tsx', () => {
    throw new TypeError('Failed to fetch dynamically imported module')
  })
  const { confirm: ask } = await import('#ui/dialog/confirm.tsx')
  const { toastStore } = await import('#lib/toast/toast.ts')
  const run = vi.fn<() => Promise<void>>()
  expect(await ask({ title: '是否确定删除?', verb: '删除', run })).toBe(false)
  expect(run).not.toHaveBeenCalled()
  expect(toastStore.get().map(({ text }) => text)).toEqual(['页面加载失败，请刷新后重试'])
  vi.doUnmock('#ui/dialog/confirm-dialog.tsx')
})
