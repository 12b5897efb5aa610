import { Link } from 'react-router'
import { paths } from '#lib/paths.ts'
import { useUser } from '#lib/session/session.ts'
import { StrokeIcon } from '#ui/layout/buttons/stroke-icon.tsx'
import { unreadText } from './unread-text.ts'
import './bar.css'

/** Unread messages with their number; it follows the account's live channel. */
export function Bell() {
  const { message_count } = useUser()
  const label = message_count > 0 ? `我的消息，${unreadText(message_count)} 条未读` : '我的消息'
  return (
    <Link to={paths.messages} className="nl-bar-link" aria-label={label} title={label}>
      <StrokeIcon path="M10 3a5 5 0 0 0-5 5c0 4-1.5 5-2 6h14c-.5-1-2-2-2-6a5 5 0 0 0-5-5M8 16.5a2.2 2.2 0 0 0 4 0" />
      {message_count > 0 && (
        <b className="nl-badge" aria-hidden="true">
          {unreadText(message_count)}
        </b>
      )}
    </Link>
  )
}
