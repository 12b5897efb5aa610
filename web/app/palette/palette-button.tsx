import { lazy, Suspense, useEffect, useState } from 'react'
import { useLatest } from '#lib/use-latest.ts'
import { StrokeIcon } from '#ui/layout/buttons/decorative-icons.tsx'
import '#app/top-bar/bar.css'
import { loadChunk } from '#lib/bundle/chunk.ts'

/* Button of the header that opens the command palette; Ctrl+K and ⌘K open it too. */

const load = () => import('./palette.tsx')
const Palette = lazy(() => load().then((m) => ({ default: m.Palette })))

const LABEL = '搜索页面、组网、成员'
const KEYS = /mac|iphone|ipad/i.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'

export function PaletteButton() {
  const [isOpen, setOpen] = useState(false)
  const show = async () => {
    if (await loadChunk(load)) setOpen(true)
  }
  const latest = useLatest(show)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault() // suppresses the browser's own search
      if (document.getElementById('root')?.inert !== true) void latest.current()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [latest])

  return (
    <>
      <button
        type="button"
        className="nl-bar-button nl-bar-search"
        aria-keyshortcuts="Control+K Meta+K"
        title={`搜索（${KEYS}）`}
        onClick={() => void show()}
      >
        <StrokeIcon path="M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12M13.5 13.5 17 17" />
        <span className="nl-bar-search-text">{LABEL}</span>
        <kbd className="nl-kbd nl-wide-only" aria-hidden="true">
          {KEYS}
        </kbd>
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <Palette label={LABEL} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
