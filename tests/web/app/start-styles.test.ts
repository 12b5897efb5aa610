import { afterEach, expect, it, vi } from 'vitest'
import { REQUEST_TIMEOUT_MS } from '#contract/kernel/limits.ts'
import { applyStyles } from '#app/start-styles.ts'

afterEach(() => {
  vi.useRealTimers()
  document.head.replaceChildren()
})

/** A sheet of the entry as the build writes it; jsdom loads none by itself. */
function addSheet(name: string): HTMLLinkElement {
  const link = document.createElement('link')
  Object.assign(link, { rel: 'stylesheet', media: 'not all', href: `/assets/${name}.css` })
  Object.defineProperty(link, 'sheet', { value: null, writable: true })
  document.head.append(link)
  return link
}
const media = (...links: HTMLLinkElement[]) => links.map((link) => link.media)

it('applies the sheets together, once all are there', async () => {
  const [page, own] = [addSheet('page'), addSheet('index')]
  Object.assign(page, { sheet: {} })
  const applied = applyStyles()
  await Promise.resolve()
  expect(media(page, own)).toEqual(['not all', 'not all'])
  own.dispatchEvent(new Event('load'))
  await applied
  expect(media(page, own)).toEqual(['all', 'all'])
})

it('a sheet that fails, or never answers, holds nothing back for good', async () => {
  vi.useFakeTimers()
  const [failed, lost] = [addSheet('failed'), addSheet('lost')]
  const applied = applyStyles()
  failed.dispatchEvent(new Event('error'))
  await vi.advanceTimersByTimeAsync(REQUEST_TIMEOUT_MS)
  await applied
  expect(media(failed, lost)).toEqual(['all', 'all'])
})

it('waits for nothing where the page has no such sheets, as under the development server', async () => {
  await applyStyles()
  expect(document.head.children).toHaveLength(0)
})
