import { ActionButton } from './buttons/action-button.tsx'
import './page-header.css'
import { MoreActions, type RowAction } from '#ui/table/row-actions.tsx'
import { PHONE, useMedia } from '#ui/hooks/use-media.ts'

interface PageActionsProps {
  /** What the page is about: names ⋯ for a screen reader. */
  readonly subject: string
  /** What people come for; none where the role may not. */
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
