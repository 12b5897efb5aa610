import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { BESIDE, SidePanel } from '#ui/dialog/side-panel.tsx'

afterEach(() => vi.restoreAllMocks())

const listeners = new Set<() => void>()

/** A window that is wide enough, or not. */
function setWide(isWide: boolean): void {
  const media = {
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
  }
  vi.spyOn(globalThis, 'matchMedia').mockImplementation(
    (query) => ({ ...media, matches: isWide && query === BESIDE }) as unknown as MediaQueryList,
  )
  act(() => listeners.forEach((listener) => listener()))
}

function Page({ isOpenAtFirst = false }: { readonly isOpenAtFirst?: boolean }) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        查看
      </button>
      {isOpen && (
        <SidePanel title="北京分公司" onClose={() => setOpen(false)}>
          内容
        </SidePanel>
      )}
    </>
  )
}
const opener = () => screen.getByRole('button', { name: '查看' })

it('stands beside the content, takes the focus from its opener and gives it back on Escape', async () => {
  setWide(true)
  render(<Page />)
  await userEvent.click(opener())
  expect(document.activeElement).toBe(screen.getByRole('complementary', { name: '北京分公司' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('complementary')).toBeNull()
  expect(document.activeElement).toBe(opener())
})

it('that the address opened leaves the focus where it is', () => {
  setWide(true)
  render(<Page isOpenAtFirst />)
  expect(screen.getByRole('complementary', { name: '北京分公司' })).not.toBe(document.activeElement)
})

it('is a drawer over the content where there is no room beside it', async () => {
  setWide(false)
  render(<Page />)
  await userEvent.click(opener())
  expect(screen.getByRole('dialog', { name: '北京分公司' }).getAttribute('aria-modal')).toBe('true')
})

describe('under a dialog', () => {
  function WithDialog() {
    const [isOpen, setOpen] = useState(false)
    return (
      <>
        <SidePanel title="北京分公司" onClose={() => {}}>
          <button type="button" onClick={() => setOpen(true)}>
            修改
          </button>
        </SidePanel>
        {isOpen && (
          <Dialog title="固定端口" onClose={() => setOpen(false)}>
            <input data-autofocus />
          </Dialog>
        )}
      </>
    )
  }
  const dialogs = () => screen.getAllByRole('dialog').map((one) => one.closest('.nl-layer')?.hasAttribute('inert'))

  it('a window that gets narrow leaves it where it is until the dialog has closed', async () => {
    setWide(true)
    render(<WithDialog />)
    await userEvent.click(screen.getByRole('button', { name: '修改' }))
    setWide(false)
    expect(screen.queryByRole('dialog', { name: '北京分公司' })).toBeNull()
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog', { name: '固定端口' })).toBeNull()
    expect(screen.getByRole('dialog', { name: '北京分公司' })).toBe(document.activeElement)
  })

  it('a window that gets wide moves it beside the content, and the dialog stays on top', async () => {
    setWide(false)
    render(<WithDialog />)
    await userEvent.click(screen.getByRole('button', { name: '修改' }))
    expect(dialogs()).toEqual([true, false])
    const { activeElement } = document
    expect(screen.getByRole('dialog', { name: '固定端口' }).contains(activeElement)).toBe(true)
    setWide(true)
    expect(dialogs()).toEqual([false])
    expect(document.activeElement).toBe(activeElement)
    expect(screen.getByRole('complementary', { hidden: true })).not.toBe(document.activeElement)
  })
})
