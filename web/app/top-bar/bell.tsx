import { lazy, Suspense, useState } from 'react'
import { loadChunk } from '#lib/bundle/chunk.ts'
import type { MessageRow } from '#pages/message/api.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { useUser } from '#lib/session/session.ts'
import { PopupButton } from '#ui/dialog/popup-button.tsx'
import { StrokeIcon } from '#ui/layout/buttons/decorative-icons.tsx'
import { unreadText } from './account-menu.tsx'

/* Bell of the header: number of unread messages, and the newest ones in a popup. */

const load = () => import('#pages/message/newest-messages.tsx')
const MessageDialog = lazyDialog(() => import('#pages/message/message-dialog.tsx').then((m) => m.MessageDialog))
const NewestMessages = lazy(() => load().then((m) => ({ default: m.NewestMessages })))

/** The number follows the account's live channel. */
export function Bell() {
  const { message_count } = useUser()
  const [message, setMessage] = useState<MessageRow | null>(null)
  const label = message_count > 0 ? `我的消息，${unreadText(message_count)} 条未读` : '我的消息'
  const icon = (
    <>
      <StrokeIcon path="M10 3a5 5 0 0 0-5 5c0 4-1.5 5-2 6h14c-.5-1-2-2-2-6a5 5 0 0 0-5-5M8 16.5a2.2 2.2 0 0 0 4 0" />
      {message_count > 0 && (
        <b className="nl-badge" aria-hidden="true">
          {unreadText(message_count)}
        </b>
      )}
    </>
  )
  return (
    <>
      <PopupButton label={label} title="最新消息" className="nl-bar-button" icon={icon} load={() => loadChunk(load)}>
        {(close) => {
          const open = (row: MessageRow) => {
            close(true) // a dialog returns the focus to it
            setMessage(row)
          }
          return (
            <Suspense fallback={null}>
              <NewestMessages onClose={close} onOpen={open} />
            </Suspense>
          )
        }}
      </PopupButton>
      {message !== null && <MessageDialog message={message} onClose={() => setMessage(null)} />}
    </>
  )
}
