import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'

const user = userEvent.setup()
const edge = () => screen.getByRole('separator', { name: '菜单宽度' })

/** The edge of the menu as a page after a reload finds it. */
async function open() {
  vi.resetModules()
  const { SideEdge } = await import('#app/menu/sidebar.tsx')
  const { useSidebar } = await import('#app/menu/sidebar-state.ts')
  function Side() {
    const { size, setSize } = useSidebar()
    return <SideEdge size={size} onSize={setSize} />
  }
  return render(<Side />)
}
/** The pointer events of jsdom have no place. */
const move = (handle: HTMLElement, clientX: number) =>
  fireEvent(handle, new MouseEvent('pointermove', { clientX, bubbles: true }))
const drag = (toPx: number) => {
  const handle = edge()
  handle.setPointerCapture = vi.fn<() => void>()
  handle.hasPointerCapture = () => true
  fireEvent.pointerDown(handle, { button: 0 })
  move(handle, toPx)
}

beforeEach(() => localStorage.clear())

it('is medium at first; arrow keys choose among the three sizes', async () => {
  await open()
  expect(edge().getAttribute('aria-valuetext')).toBe('中')
  edge().focus()
  await user.keyboard('{ArrowRight}{ArrowRight}')
  expect(edge().getAttribute('aria-valuetext')).toBe('宽')
  await user.keyboard('{Home}{ArrowLeft}')
  expect(edge().getAttribute('aria-valuetext')).toBe('窄')
})

it.each([
  [20, '窄'],
  [190, '窄'],
  [205, '中'],
  [240, '宽'],
  [900, '宽'],
])('dragged to %i px it snaps to %s, which is kept', async (px, size) => {
  const { unmount } = await open()
  drag(px)
  expect(edge().getAttribute('aria-valuetext')).toBe(size)
  unmount()
  await open()
  expect(edge().getAttribute('aria-valuetext')).toBe(size)
})

it('moves only while it is held', async () => {
  await open()
  const handle = edge()
  handle.hasPointerCapture = () => false
  move(handle, 400)
  expect(handle.getAttribute('aria-valuetext')).toBe('中')
})
