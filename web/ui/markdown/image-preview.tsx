import Preview from '@douyinfe/semi-ui/lib/es/image/preview'
import { useEffect, useState } from 'react'
import { useLatest } from '#lib/use-latest.ts'
import { useEscape } from '#ui/dialog/use-escape.ts'

/* Viewer of images in full size: zoom, rotation, download. */

interface ImagePreviewProps {
  readonly sources: readonly string[]
  readonly first: number
  readonly onClose: () => void
}

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

/** Restores the scroll bar if the page is left with an open viewer, which hides it. Reads the styles before that. */
function useScrollKeeper(): void {
  const [style] = useState(() => ({ overflow: document.body.style.overflow, width: document.body.style.width }))
  useEffect(() => () => void Object.assign(document.body.style, style), [style])
}
