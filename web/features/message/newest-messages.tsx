import Button from '@douyinfe/semi-ui/lib/es/button'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { withLinkedName } from '#lib/linked-name.ts'
import { PAGE_SIZE } from '#contract/kernel/limits.ts'
import { paths } from '#lib/paths.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { type MessageRow, useMarkRowRead, useMessages } from './api.ts'
import styles from './newest-messages.module.css'
import { toObjects } from './message-text.ts'

/* Newest messages in the popup of the bell, each with its object, and marked as read in place. */

const SHOWN = 5

interface NewestMessagesProps {
  readonly onClose: (returnsFocus: boolean) => void
  /** Opens a message, which is read then. */
  readonly onOpen: (row: MessageRow) => void
}

export function NewestMessages({ onClose, onOpen }: NewestMessagesProps) {
  const query = useMessages({ page: 1, limit: PAGE_SIZE, type: '', unread: 0 })
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
          {data.data.slice(0, SHOWN).map((row) => (
            <Message
              key={row.message_id}
              row={row}
              isBusy={read.isMutating}
              onRead={() => mark({ message_id: [row.message_id] })}
              onLeave={leave}
              onOpen={() => onOpen(row)}
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
  readonly row: MessageRow
  readonly isBusy: boolean
  readonly onRead: () => void
  readonly onLeave: () => void
  readonly onOpen: () => void
}

function Message({ row, isBusy, onRead, onLeave, onOpen }: MessageProps) {
  const { title, type, create_time, status } = row
  const isUnread = status === 0
  return (
    <li className={styles.message} data-unread={isUnread}>
      <button type="button" className={styles.title} onClick={onOpen}>
        {isUnread && <span className="nl-sr">未读：</span>}
        {title}
      </button>
      <small className={styles.facts}>
        {type}
        <TimeText at={create_time} />
        {toObjects(row).map(({ text, to }) => (
          <Link key={to} to={to} state={withLinkedName(text)} onClick={onLeave}>
            {text}
          </Link>
        ))}
      </small>
      {isUnread && (
        <Button theme="borderless" size="small" disabled={isBusy} aria-label={`标为已读 ${title}`} onClick={onRead}>
          标为已读
        </Button>
      )}
    </li>
  )
}
