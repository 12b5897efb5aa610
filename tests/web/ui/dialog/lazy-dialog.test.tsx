import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'

const Loaded = ({ onClose }: { readonly onClose: () => void }) => <button onClick={onClose}>loaded</button>

it('a dialog whose chunk does not arrive says so and is asked for again; the page stays', async () => {
  let isOffline = true
  const load = vi.fn<() => Promise<typeof Loaded>>(async () => {
    if (isOffline) throw new TypeError('Failed to fetch dynamically imported module')
    return Loaded
  })
  const Lazy = lazyDialog(load)
  const onClose = vi.fn<() => void>()
  const page = (
    <>
      <p>page</p>
      <Lazy onClose={onClose} />
    </>
  )
  const first = render(page)
  await screen.findByRole('dialog', { name: '加载失败' })
  expect(screen.queryByText('page')).not.toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '重试' }))
  await screen.findByRole('dialog', { name: '加载失败' })
  isOffline = false
  await userEvent.click(screen.getByRole('button', { name: '重试' }))
  await userEvent.click(await screen.findByRole('button', { name: 'loaded' }))
  expect(onClose).toHaveBeenCalledOnce()
  first.unmount()
  render(page)
  expect(screen.queryByText('loaded')).not.toBeNull() // at once, from then on
  expect(load).toHaveBeenCalledTimes(3)
})
