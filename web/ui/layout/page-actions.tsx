import { ActionButton } from './buttons/action-button.tsx'
import './page-header.css'
import { MoreActions, type RowAction } from '#ui/table/row-actions.tsx'
import { PHONE, useMedia } from '#ui/hooks/use-media.ts'

/* Actions of a page: the main one first, one or two beside it, the others behind ⋯. */

interface PageActionsProps {
  /** Object of the page; it names the ⋯ menu for screen readers. */
  readonly subject: string
  /** Primary actions; empty if the role may not use them. */
  readonly main: readonly RowAction[]
  /** Actions beside the main one; on a phone they are behind ⋯ too. */
  readonly beside?: readonly RowAction[]
  /** Actions behind ⋯, including all dangerous ones. */
  readonly more: readonly RowAction[]
}

export function PageActions({ subject, main, beside = [], more }: PageActionsProps) {
  const isPhone = useMedia(PHONE)
  const behind = isPhone ? [...beside, ...more] : more
  return (
    <span className="nl-page-verbs">
      {main.map((action) => (
        <VerbButton key={action.label} action={action} isMain />
      ))}
      {!isPhone && beside.map((action) => <VerbButton key={action.label} action={action} />)}
      {behind.length > 0 && <MoreActions actions={behind} subject={subject} />}
    </span>
  )
}

function VerbButton({ action, isMain = false }: { readonly action: RowAction; readonly isMain?: boolean }) {
  return (
    <ActionButton
      {...(isMain ? { theme: 'solid', type: 'primary' } : { type: 'tertiary' })}
      blocked={action.blocked ?? null}
      onClick={() => action.onSelect?.()}
    >
      {action.label}
    </ActionButton>
  )
}
