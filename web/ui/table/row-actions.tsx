import IconMore from '@douyinfe/semi-icons/lib/es/icons/IconMore'
import Dropdown from '@douyinfe/semi-ui/lib/es/dropdown'
import { useRef } from 'react'
import { Link, useNavigate } from 'react-router'
import { withLinkedName } from '#lib/linked-name.ts'
import { PHONE, useMedia } from '#ui/hooks/use-media.ts'
import { ActionButton } from '#ui/layout/buttons/action-button.tsx'
import './row-actions.css'
import type { Column } from './table-column.ts'

/* Actions of a row: one button, the others behind ⋯; also as buttons side by side. */

export interface RowAction {
  readonly label: string
  readonly onSelect?: () => void
  /** Renders a link instead of a button. */
  readonly to?: string
  readonly danger?: boolean
  /** Reason why the action is unavailable; null or absent if it is available. */
  readonly blocked?: string | null
}

interface RowActionsProps {
  readonly actions: readonly RowAction[]
  /** Object of the actions; it names each of them for screen readers. */
  readonly subject: string
}

/**
 * A row shows at most one action, the first; the others, and all dangerous ones, are behind ⋯. On a phone all are behind ⋯,
 * because its two-line rows have no room.
 */
export function RowActions({ actions, subject }: RowActionsProps) {
  const first = actions[0]?.danger ? undefined : actions[0]
  const isPhone = useMedia(PHONE)
  const others = first === undefined || isPhone ? actions : actions.slice(1)
  return (
    <span className={`nl-row-actions ${actions.length === 1 && first !== undefined ? 'nl-one-verb' : ''}`}>
      {first !== undefined && <InlineAction action={first} subject={subject} />}
      {others.length > 0 && <MoreActions actions={others} subject={subject} />}
    </span>
  )
}

export const actionColumn = <Row,>(cell: Column<Row>['cell']): Column<Row> => ({
  key: 'actions',
  title: '操作',
  align: 'right',
  sticky: 'end',
  cell,
})

/** The actions as buttons side by side, such as in the foot of a drawer. */
export function ActionRow({ actions, subject }: RowActionsProps) {
  return (
    <span className="nl-flow">
      {actions.map((action) => (
        <ActionButton
          key={action.label}
          theme="outline"
          type={action.danger ? 'danger' : 'tertiary'}
          blocked={action.blocked ?? null}
          aria-label={`${action.label} ${subject}`}
          onClick={() => action.onSelect?.()}
        >
          {action.label}
        </ActionButton>
      ))}
    </span>
  )
}

function InlineAction({ action, subject }: { readonly action: RowAction; readonly subject: string }) {
  const name = `${action.label} ${subject}`
  if (action.to !== undefined && !action.blocked)
    return (
      <Link to={action.to} state={withLinkedName(subject)} aria-label={name}>
        {action.label}
      </Link>
    )
  return (
    <ActionButton
      theme="borderless"
      size="small"
      type={action.danger ? 'danger' : 'primary'}
      blocked={action.blocked ?? null}
      aria-label={name}
      onClick={() => action.onSelect?.()}
    >
      {action.label}
    </ActionButton>
  )
}

export function MoreActions({ actions, subject }: RowActionsProps) {
  const opener = useRef<HTMLButtonElement>(null)
  const navigate = useNavigate()
  /** Focuses the opener first: a dialog returns the focus to it, and the menu entry is unmounted by then. */
  const choose = (action: RowAction) => {
    opener.current?.focus()
    if (action.to === undefined) action.onSelect?.()
    else void navigate(action.to, { state: withLinkedName(subject) })
  }
  return (
    <Dropdown
      trigger="click"
      position="bottomRight"
      clickToHide
      render={
        <Dropdown.Menu aria-label={subject}>
          {actions.map((action) => (
            <Dropdown.Item
              key={action.label}
              type={action.danger ? 'danger' : 'tertiary'}
              disabled={Boolean(action.blocked)}
              onClick={() => choose(action)}
            >
              {action.label}
              {action.blocked && <small className="nl-blocked">{action.blocked}</small>}
            </Dropdown.Item>
          ))}
        </Dropdown.Menu>
      }
    >
      <button ref={opener} type="button" className="nl-icon-button nl-more" aria-label={`${subject} 的更多操作`}>
        <IconMore />
      </button>
    </Dropdown>
  )
}
