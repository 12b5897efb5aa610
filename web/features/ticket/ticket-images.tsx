import { useState } from 'react'
import type { TicketImage } from '#contract/ticket/index.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { toImageSource } from '#ui/markdown/address.ts'
import styles from './conversation.module.css'

const ImagePreview = lazyDialog(() =>
  import('#ui/markdown/image-preview.tsx').then((m) => ({ default: m.ImagePreview })),
)

interface TicketImagesProps {
  readonly images: readonly TicketImage[]
  /** An address has expired: reads new ones. */
  readonly onExpired: () => void
}

/** Small images of this host that open in the viewer. */
export function TicketImages({ images: listed, onExpired }: TicketImagesProps) {
  const [opened, setOpened] = useState<number | null>(null)
  const images = listed.flatMap((image) => {
    const src = toImageSource(image.src, location.origin)
    return src === null ? [] : [{ ...image, src }]
  })
  if (images.length === 0) return null
  return (
    <>
      <div className={styles.images}>
        {images.map((image, i) => (
          <button key={image.file_id} type="button" aria-label={`预览图片 ${image.name}`} onClick={() => setOpened(i)}>
            <Thumbnail {...image} onExpired={onExpired} />
          </button>
        ))}
      </div>
      {opened !== null && (
        <ImagePreview sources={images.map(({ src }) => src)} first={opened} onClose={() => setOpened(null)} />
      )}
    </>
  )
}

const FAILURES_MAX = 2

/** Keeps the address that it was loaded by: a renewed one is taken only where that has failed. */
function Thumbnail({ src, name, onExpired }: TicketImage & Pick<TicketImagesProps, 'onExpired'>) {
  const [shown, setShown] = useState(src)
  const [failures, setFailures] = useState(0)
  const [hasFailed, setFailed] = useState(false)
  if (hasFailed && src !== shown) {
    setShown(src)
    setFailed(false)
  }
  const fail = () => {
    setFailed(true)
    setFailures(failures + 1)
    if (failures < FAILURES_MAX) onExpired()
  }
  if (hasFailed && failures > FAILURES_MAX) return <span className="nl-muted">无法显示</span>
  return <img src={shown} alt={name} loading="lazy" onError={fail} onLoad={() => setFailures(0)} />
}
