import Button from '@douyinfe/semi-ui/lib/es/button'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { PAGE_SIZES } from '#contract/kernel/limits.ts'
import { withLinkedName } from '#lib/linked-name.ts'
import { paths } from '#lib/paths.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { type MessageRow, useMarkRowRead, useMessages } from './api.ts'
import styles from './newest-messages.module.css'
import { foldMessages, toObjects } from './message-text.ts'

/* Newest messages in the popup of the bell, each with its object, and marked as read in place. */

const SHOWN = 5
/** Messages among which those about one matter are folded. */
const FOLDED_OF = 50 satisfies (typeof PAGE_SIZES)[number]

interface NewestMessagesProps {
  readonly onClose: (returnsFocus: boolean) => void
  /** Opens a message, which is read then. */
  readonly onOpen: (row: MessageRow) => void
}

export function NewestMessages({ onClose, onOpen }: NewestMessagesProps) {
  const query = useMessages({ page: 1, limit: FOLDED_OF, type: '', unread: 0 })
  const read = useMarkRowRead()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus({ preventScroll: true }), [])
  const { data } = query
  const leave = () => onClose(false)
  /** The pressed button goes away, so the popup takes the focus. */
  const mark = (chosen: Parameters<typeof read.trigger>[0]) => {
    box.current?.focus({ preventScroll: true })
    void read.trigger(chosen).catch(() => null)
  }
  return (
    <div ref={box} tabIndex={-1} className={styles.box}>
      <p className={styles.head}>
        <strong>最新消息</strong>
        {data !== undefined && data.unread > 0 && (
          <Button
            theme="borderless"
            size="small"
            disabled={read.isMutating}
            onClick={() => mark({ type: 'all', newest: data.newest })}
          >
            全部标为已读
          </Button>
        )}
      </p>
      {data === undefined ? (
        <Loading query={query} lines={5} />
      ) : data.data.length === 0 ? (
        <p className={styles.none}>暂无消息</p>
      ) : (
        <ul className="nl-lined">
          {foldMessages(data.data)
            .slice(0, SHOWN)
            .map((rows) => (
              <Message
                key={rows[0].message_id}
                rows={rows}
                isBusy={read.isMutating}
                onRead={(unread) => mark({ message_id: [...unread] })}
                onLeave={leave}
                onOpen={() => onOpen(rows[0])}
              />
            ))}
        </ul>
      )}
      <Link className={styles.all} to={paths.messages} onClick={leave}>
        查看全部
      </Link>
    </div>
  )
}

interface MessageProps {
  /** Messages about one matter, of which the newest is shown. */
  readonly rows: readonly [MessageRow, ...MessageRow[]]
  readonly isBusy: boolean
  readonly onRead: (unread: readonly number[]) => void
  readonly onLeave: () => void
  readonly onOpen: () => void
}

function Message({ rows, isBusy, onRead, onLeave, onOpen }: MessageProps) {
  const [row] = rows
  const { title, type, create_time } = row
  const unread = rows.filter(({ status }) => status === 0).map(({ message_id }) => message_id)
  const isUnread = unread.length > 0
  return (
    <li className={styles.message} data-unread={isUnread}>
      <button type="button" className={styles.title} onClick={onOpen}>
        {isUnread && <span className="nl-sr">未读：</span>}
        {title}
      </button>
      <small className={styles.facts}>
        {type}
        <TimeText at={create_time} />
        {rows.length > 1 && <span>{`同一事项的 ${rows.length} 条消息`}</span>}
        {toObjects(row).map(({ text, to }) => (
          <Link key={to} to={to} state={withLinkedName(text)} onClick={onLeave}>
            {text}
          </Link>
        ))}
      </small>
      {isUnread && (
        <Button
          theme="borderless"
          size="small"
          disabled={isBusy}
          aria-label={`标为已读 ${title}`}
          onClick={() => onRead(unread)}
        >
          标为已读
        </Button>
      )}
    </li>
  )
}
