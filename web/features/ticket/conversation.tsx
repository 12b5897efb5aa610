import { useState } from 'react'
import type { TicketImage, TicketView } from '#contract/ticket/index.ts'
import { timeText } from '#lib/format/format-time.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { toImageSource } from '#ui/markdown/address.ts'
import styles from './conversation.module.css'
import { SnapshotView } from './snapshot-view.tsx'

/** Conversation of a ticket: the problem and its replies, the customer at the right, the adviser at the left. */
export function Conversation({ ticket, onExpired }: { ticket: TicketView; onExpired: () => void }) {
  const { author, create_time, ticket_content, images, snapshot } = ticket
  const problem = { side: 'customer', name: author, at: create_time, text: ticket_content, images, snapshot } as const
  return (
    <div role="log" aria-label="沟通记录">
      <ol className={styles.log}>
        <Turn {...problem} onExpired={onExpired} />
        {ticket.dialogue.map((reply) => (
          <Turn
            key={reply.reply_id}
            side={reply.side}
            name={reply.reply_name}
            at={reply.reply_time}
            text={reply.dialogue_content}
            images={reply.images}
            snapshot={reply.snapshot}
            onExpired={onExpired}
          />
        ))}
      </ol>
    </div>
  )
}

interface TurnProps extends Pick<TicketView, 'images' | 'snapshot'> {
  readonly side: 'customer' | 'adviser'
  readonly name: string
  readonly at: number
  readonly text: string
  readonly onExpired: () => void
}

function Turn({ side, name, at, text, images, snapshot, onExpired }: TurnProps) {
  const isAdviser = side === 'adviser'
  return (
    <li className={isAdviser ? styles.turn : `${styles.turn} ${styles.mine}`}>
      <div className={styles.head}>
        {isAdviser && <span className={styles.side}>顾问</span>}
        <b>{name}</b>
        <time dateTime={new Date(at).toISOString()}>{timeText(at)}</time>
      </div>
      <div className={styles.bubble}>
        <p className={styles.text}>{text}</p>
        <TicketImages images={images} onExpired={onExpired} />
        {snapshot !== null && <SnapshotView snapshot={snapshot} />}
      </div>
    </li>
  )
}

const ImagePreview = lazyDialog(() => import('#ui/markdown/image-preview.tsx').then((m) => m.ImagePreview))

interface TicketImagesProps {
  readonly images: readonly TicketImage[]
  readonly onExpired: () => void
}

function TicketImages({ images: listed, onExpired }: TicketImagesProps) {
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

/** Keeps its first address, and takes a renewed one only if that fails. */
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
