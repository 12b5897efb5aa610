import { useEffect } from 'react'
import { Link } from 'react-router'
import { withLinkedName } from '#lib/linked-name.ts'
import { useLatest } from '#lib/use-latest.ts'
import { PrimaryButton } from '#ui/layout/buttons/primary-button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { type MessageRow, useMessage, useRefreshMessages } from './api.ts'
import styles from './message-dialog.module.css'
import { toObjects } from './message-text.ts'

/* Dialog of one message. */

export function MessageDialog({ message, onClose }: { message: MessageRow; onClose: () => void }) {
  const { data, error, mutate } = useMessage(message.message_id)
  const refresh = useLatest(useRefreshMessages())
  const opened = data?.data
  useEffect(() => {
    if (opened !== undefined || error !== undefined) refresh.current()
  }, [opened, error, refresh])
  return (
    <Dialog title={message.title} onClose={onClose} footer={<PrimaryButton onClick={onClose}>关闭</PrimaryButton>}>
      {opened !== undefined ? (
        <>
          <p className={styles.facts}>
            <span>{opened.type}</span>
            <TimeText at={opened.create_time} />
            {toObjects(opened).map(({ text, to }) => (
              <Link key={to} to={to} state={withLinkedName(text)} onClick={onClose}>
                {text}
              </Link>
            ))}
          </p>
          <p className={styles.content}>{opened.content}</p>
        </>
      ) : (
        <Loading query={{ error, mutate }} lines={4} />
      )}
    </Dialog>
  )
}
