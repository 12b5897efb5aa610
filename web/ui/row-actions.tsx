import IconMore from '@douyinfe/semi-icons/lib/es/icons/IconMore'
import Dropdown from '@douyinfe/semi-ui/lib/es/dropdown'
import { useRef } from 'react'
import { Link, useNavigate } from 'react-router'
import { ActionButton } from './action-button.tsx'
import './row-actions.css'

const SHOWN = 3

export interface RowAction {
  readonly label: string
  readonly onSelect?: () => void
  /** Renders a link instead of a button. */
  readonly to?: string
  readonly danger?: boolean
  /** Why it cannot be done; null or absent where it can. */
  readonly blocked?: string | null
}

/** Up to three actions stand in the row, more go behind ⋯; the order is the same in every row. */
export function RowActions({ actions, subject }: { readonly actions: readonly RowAction[]; readonly subject: string }) {
  const fits = actions.length <= SHOWN
  const shown = fits ? actions : actions.slice(0, SHOWN - 1)
  return (
    <span className="nl-row-actions">
      {shown.map((action) => (
        <InlineAction key={action.label} action={action} />
      ))}
      {!fits && <MoreActions actions={actions.slice(SHOWN - 1)} subject={subject} />}
    </span>
  )
}

function InlineAction({ action }: { readonly action: RowAction }) {
  if (action.to !== undefined && !action.blocked) return <Link to={action.to}>{action.label}</Link>
  return (
    <ActionButton
      theme="borderless"
      size="small"
      type={action.danger ? 'danger' : 'primary'}
      blocked={action.blocked ?? null}
      onClick={() => action.onSelect?.()}
    >
      {action.label}
    </ActionButton>
  )
}

function MoreActions({ actions, subject }: { readonly actions: readonly RowAction[]; readonly subject: string }) {
  const opener = useRef<HTMLButtonElement>(null)
  const navigate = useNavigate()
  /** Focuses the opener first: a dialog returns the focus to it, and the menu entry is unmounted by then. */
  const choose = (action: RowAction) => {
    opener.current?.focus()
    if (action.to === undefined) action.onSelect?.()
    else void navigate(action.to)
  }
  return (
    <Dropdown
      trigger="click"
      position="bottomRight"
      clickToHide
      render={
        <Dropdown.Menu>
          {actions.map((action) => (
            <Dropdown.Item
              key={action.label}
              type={action.danger ? 'danger' : 'primary'}
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
