import createPurifier from 'dompurify'
import { type MouseEvent, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { toImageSource, toLinkTarget } from './address.ts'
import './markdown.css'

/* Shows HTML that a server rendered, after sanitizing. Links to pages stay in this tab; a click on an image enlarges it. */

const ImagePreview = lazyDialog(() => import('./image-preview.tsx').then((m) => m.ImagePreview))

/** Allowed markup, as the server renders it from Markdown: no style, no form, no media from other places. */
const ALLOWED = {
  ALLOWED_TAGS:
    'h2 h3 h4 h5 h6 p ul ol li blockquote pre code hr br strong em del a img button div table thead tbody tr th td'.split(
      ' ',
    ),
  ALLOWED_ATTR: 'id class href target rel src alt width height loading type start scope tabindex role aria-label'.split(
    ' ',
  ),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
}

const purifier = createPurifier(window)
purifier.addHook('afterSanitizeAttributes', (element) => {
  const href = element.getAttribute('href')
  if (href !== null && toLinkTarget(href, location.origin) === null) element.removeAttribute('href')
  if (element.getAttribute('target') === '_blank') element.setAttribute('rel', 'noopener noreferrer nofollow')
  const src = element.getAttribute('src')
  if (src !== null && toImageSource(src, location.origin) === null) element.remove()
})

export const sanitize = (html: string): string => purifier.sanitize(html, ALLOWED)

export function SafeHtml({ html }: { readonly html: string }) {
  const navigate = useNavigate()
  const [preview, setPreview] = useState<{ readonly sources: string[]; readonly first: number } | null>(null)
  const safe = useMemo(() => ({ __html: sanitize(html) }), [html])
  const click = (event: MouseEvent<HTMLDivElement>) => {
    if (!(event.target instanceof Element)) return
    const image = event.target.closest('.nl-markdown-image')?.querySelector('img')
    if (image) {
      const sources = [...event.currentTarget.querySelectorAll('img')].map(({ src }) => src)
      return setPreview({ sources, first: sources.indexOf(image.src) })
    }
    const path = toPath(event, event.target.closest('a'))
    if (path === null) return
    event.preventDefault()
    void navigate(path)
  }
  return (
    <>
      <div className="nl-markdown" onClick={click} dangerouslySetInnerHTML={safe} />
      {preview !== null && <ImagePreview {...preview} onClose={() => setPreview(null)} />}
    </>
  )
}

/** Page that a plain click on a link opens; null if the browser must follow the link. */
function toPath(event: MouseEvent, link: HTMLAnchorElement | null): string | null {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  if (!isPlain || link === null || link.target === '_blank') return null
  const target = toLinkTarget(link.getAttribute('href') ?? '', location.origin)
  return target !== null && 'path' in target ? target.path : null
}
