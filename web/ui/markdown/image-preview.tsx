import Preview from '@douyinfe/semi-ui/lib/es/image/preview'
import { useEffect, useState } from 'react'
import { useLatest } from '#lib/use-latest.ts'
import { useEscape } from '#ui/dialog/use-escape.ts'

interface ImagePreviewProps {
  readonly sources: readonly string[]
  readonly first: number
  readonly onClose: () => void
}

/** Semi's viewer of images: zoom, rotation, download. */
export function ImagePreview({ sources, first, onClose }: ImagePreviewProps) {
  const [index, setIndex] = useState<number | null>(first)
  const close = () => setIndex(null)
  const latest = useLatest(onClose)
  useScrollKeeper()
  useEffect(() => {
    if (index === null) latest.current() // the viewer cleans up when it is hidden, not when it is unmounted
  }, [index, latest])
  useEscape(close)
  return (
    <Preview
      visible={index !== null}
      lazyLoad={false}
      src={[...sources]}
      currentIndex={index ?? first}
      onChange={setIndex}
      closeOnEsc={false}
      onVisibleChange={(isVisible) => {
        if (!isVisible) close()
      }}
    />
  )
}

/** For a page that is left with an open viewer, which then leaves the scroll bar hidden. Styles are read before it hides it. */
function useScrollKeeper(): void {
  const [style] = useState(() => ({ overflow: document.body.style.overflow, width: document.body.style.width }))
  useEffect(() => () => void Object.assign(document.body.style, style), [style])
}
