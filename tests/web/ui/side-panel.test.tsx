import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { BESIDE, SidePanel } from '../../../web/ui/side-panel.tsx'

afterEach(() => vi.restoreAllMocks())

/** A window that is wide enough, or not. */
function setWide(isWide: boolean): void {
  const listeners = { addEventListener: () => {}, removeEventListener: () => {} }
  vi.spyOn(globalThis, 'matchMedia').mockImplementation(
    (query) => ({ ...listeners, matches: isWide && query === BESIDE }) as unknown as MediaQueryList,
  )
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
