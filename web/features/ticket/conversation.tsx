import type { TicketView } from '#contract/ticket/index.ts'
import { timeText } from '#lib/format/format-time.ts'
import styles from './conversation.module.css'
import { SnapshotView } from './snapshot-view.tsx'
import { TicketImages } from './ticket-images.tsx'

interface ConversationProps {
  readonly ticket: TicketView
  readonly onExpired: () => void
}

/** The problem and what was said about it: the customer at the right, the adviser at the left. Texts are plain text. */
export function Conversation({ ticket, onExpired }: ConversationProps) {
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
