import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode, useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { ConfirmHost } from '#ui/dialog/confirm.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { MainArea } from '#ui/layout/main-area.tsx'
import { SideDrawer } from '#ui/dialog/dialog.tsx'

const user = userEvent.setup()
const schema = z.object({ name: z.string().min(1, '请输入网络名称'), note: z.string().min(2, '备注最少 2 个字符') })

interface RenameProps {
  readonly onClose: () => void
  readonly onSubmit: () => Promise<unknown>
}

function Rename({ onClose, onSubmit }: RenameProps) {
  const form = useContractForm(schema, { name: '', note: '' })
  return (
    <FormDialog title="修改名称" form={form} command={onSubmit} onClose={onClose}>
      <input value="demo01" readOnly hidden />
      <TextField control={form.control} name="name" label="名称" required />
      <TextField control={form.control} name="note" label="备注" required />
    </FormDialog>
  )
}

/** A page as the app draws it, with a button that opens the dialog. */
function Page({ onSubmit = async () => {} }: { onSubmit?: () => Promise<unknown> }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <MainArea>
      <button onClick={() => setOpen(true)}>重命名</button>
      {isOpen && <Rename onClose={() => setOpen(false)} onSubmit={onSubmit} />}
    </MainArea>
  )
}

function open(page = <Page />) {
  const root = document.body.appendChild(document.createElement('div'))
  root.id = 'root'
  const routes = [
    { path: '/before', element: '之前' },
    { path: '/page', element: page },
  ]
  const router = createMemoryRouter(routes, { initialEntries: ['/before', '/page'] })
  const shown = render(
    <StrictMode>
      <RouterProvider router={router} />
      <ConfirmHost />
    </StrictMode>,
    { container: root },
  )
  return { ...shown, root, router }
}
const press = (name: string) => user.click(screen.getByRole('button', { name }))
const field = (name: RegExp) => screen.getByRole('textbox', { name })

it('focuses the first field, and shows no error for untouched fields', async () => {
  const { root } = open()
  await press('重命名')
  expect(document.activeElement).toBe(field(/名称/))
  expect(root.hasAttribute('inert')).toBe(true)
  await act(() => new Promise((resolve) => setTimeout(resolve))) // validation is a chain of microtasks
  expect(screen.queryByRole('alert')).toBeNull()
})

it('restores page and focus when Escape closes it', async () => {
  const { root } = open()
  await press('重命名')
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(root.hasAttribute('inert')).toBe(false)
  expect(document.activeElement).toBe(screen.getByRole('button', { name: '重命名' }))
})

it('moves the focus to the page when the opener was removed', async () => {
  const onClose = vi.fn<() => void>()
  function Vanishing() {
    const [step, setStep] = useState(0)
    return (
      <MainArea>
        {step === 0 && <button onClick={() => setStep(1)}>打开</button>}
        {step === 1 && (
          <SideDrawer title="详情" onClose={() => (onClose(), setStep(2))}>
            内容
          </SideDrawer>
        )}
      </MainArea>
    )
  }
  open(<Vanishing />)
  await press('打开')
  await user.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(document.activeElement).toBe(screen.getByRole('main'))
})

it('returns the focus to what opened a dialog, also where a form has taken the place of its skeleton', async () => {
  function Loading({ onClose }: { readonly onClose: () => void }) {
    const [isLoaded, setLoaded] = useState(false)
    if (isLoaded) return <Rename onClose={onClose} onSubmit={async () => {}} />
    return (
      <SideDrawer title="加载中" onClose={onClose}>
        <button onClick={() => setLoaded(true)}>读取完成</button>
      </SideDrawer>
    )
  }
  function Drawer() {
    const [isOpen, setOpen] = useState(false)
    return (
      <SideDrawer title="组网配置" onClose={() => {}}>
        <button onClick={() => setOpen(true)}>修改</button>
        {isOpen && <Loading onClose={() => setOpen(false)} />}
      </SideDrawer>
    )
  }
  open(<Drawer />)
  await user.click(screen.getByRole('button', { name: '修改' }))
  await user.click(await screen.findByRole('button', { name: '读取完成' }))
  await screen.findByRole('dialog', { name: '修改名称' })
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: '修改' })))
})

it('moves to the first field that is wrong', async () => {
  open()
  await press('重命名')
  await user.type(field(/名称/), '总部')
  await press('保存')
  await screen.findByText('备注最少 2 个字符')
  expect(document.activeElement).toBe(field(/备注/))
})

it('asks before input is discarded: 继续编辑 or 放弃修改', async () => {
  open()
  await press('重命名')
  await user.type(field(/名称/), '总部')
  await user.keyboard('{Escape}')
  await screen.findByRole('alertdialog', { name: '放弃未保存的修改？' })
  const buttons = within(screen.getByRole('alertdialog')).getAllByRole('button')
  expect(buttons.map(({ textContent }) => textContent)).toEqual(['', '继续编辑', '放弃修改'])
  expect(screen.getByRole('dialog').parentElement?.hasAttribute('inert')).toBe(true)
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect((field(/名称/) as HTMLInputElement).value).toBe('总部')
  expect(document.activeElement).toBe(field(/名称/))
})

it('the back button asks before the page of a dialog with changes is left', async () => {
  const { router } = open()
  await press('重命名')
  await user.type(field(/名称/), '总部')
  await act(() => router.navigate(-1))
  await screen.findByRole('alertdialog', { name: '放弃未保存的修改？' })
  await press('继续编辑')
  expect((field(/名称/) as HTMLInputElement).value).toBe('总部')
  await act(() => router.navigate(-1))
  await user.click(await screen.findByRole('button', { name: '放弃修改' }))
  await screen.findByText('之前')
})

it('Escape closes the dialog also from a select whose list is closed', async () => {
  const onClose = vi.fn<() => void>()
  function Ciphers() {
    const form = useContractForm(z.object({ cipher: z.string() }), { cipher: 'a' })
    return (
      <FormDialog title="加密算法" form={form} command={async () => {}} onClose={onClose}>
        <SelectField control={form.control} name="cipher" label="算法" options={[{ value: 'a', label: 'AES' }]} />
      </FormDialog>
    )
  }
  open(<Ciphers />)
  act(() => screen.getByRole('combobox').focus())
  await user.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledTimes(1)
})

it('cannot be closed while it runs', async () => {
  let finish = () => {}
  open(<Page onSubmit={() => new Promise<void>((resolve) => (finish = resolve))} />)
  await press('重命名')
  await user.type(field(/名称/), '总部')
  await user.type(field(/备注/), '上海')
  await press('保存')
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: '取消' }).disabled).toBe(true))
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(screen.queryByRole('dialog')).not.toBeNull()
  finish()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('sends unchanged values only where they are a command of their own, and stays open where a step follows', async () => {
  const command = vi.fn<(values: unknown) => Promise<unknown>>(async () => false)
  function Cipher({ sendsUnchanged }: { readonly sendsUnchanged: boolean }) {
    const [isOpen, setOpen] = useState(true)
    const form = useContractForm(z.object({ cipher: z.string().trim() }), { cipher: 'AES' })
    if (!isOpen) return null
    return (
      <FormDialog title="加密算法" onClose={() => setOpen(false)} {...{ form, command, sendsUnchanged }}>
        <TextField control={form.control} name="cipher" label="算法" />
      </FormDialog>
    )
  }
  const { unmount } = open(<Cipher sendsUnchanged={false} />)
  await user.type(field(/算法/), ' ')
  await press('保存')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(command).not.toHaveBeenCalled()
  unmount()

  open(<Cipher sendsUnchanged />)
  await press('保存')
  await waitFor(() => expect(command).toHaveBeenCalledTimes(1))
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: '保存' }).disabled).toBe(false))
  expect(screen.queryByRole('dialog')).not.toBeNull()
})
