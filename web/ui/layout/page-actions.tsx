import { ActionButton } from './buttons/action-button.tsx'
import './page-header.css'
import { MoreActions, type RowAction } from '#ui/table/row-actions.tsx'
import { PHONE, useMedia } from '#ui/hooks/use-media.ts'

interface PageActionsProps {
  /** Object of the page: names the ⋯ menu for screen readers. */
  readonly subject: string
  /** Primary actions; empty if the role may not use them. */
  readonly main: readonly RowAction[]
  /** Beside it; on a phone behind ⋯ too. */
  readonly beside?: readonly RowAction[]
  /** Behind ⋯, and everything dangerous with it. */
  readonly more: readonly RowAction[]
}

/** Actions of a page: the main one first, one or two beside it, the others behind ⋯. */
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
