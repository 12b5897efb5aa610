import { lexer, walkTokens } from 'marked'
import { useMemo, useState } from 'react'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { toImageSource } from './address.ts'
import { Blocks } from './blocks.tsx'
import './markdown.css'

const ImagePreview = lazyDialog(() => import('./image-preview.tsx').then((m) => ({ default: m.ImagePreview })))

/** A text in Markdown. A click on an image shows it in full size, with the text's other images beside it. */
export function Markdown({ text }: { readonly text: string }) {
  const tokens = useMemo(() => lexer(text), [text])
  const sources = useMemo(() => listImages(tokens), [tokens])
  const [opened, setOpened] = useState<string | null>(null)
  return (
    <div className="nl-markdown">
      <Blocks tokens={tokens} onImage={setOpened} />
      {opened !== null && (
        <ImagePreview sources={sources} first={sources.indexOf(opened)} onClose={() => setOpened(null)} />
      )}
    </div>
  )
}

function listImages(tokens: ReturnType<typeof lexer>): readonly string[] {
  const sources: string[] = []
  void walkTokens(tokens, (token) => {
    if (token.type !== 'image') return
    const src = toImageSource(String(token['href']), location.origin)
    if (src !== null && !sources.includes(src)) sources.push(src)
  })
  return sources
}
