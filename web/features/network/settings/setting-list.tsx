import { useId } from 'react'
import { ActionButton } from '#ui/layout/buttons/action-button.tsx'
import type { Setting } from './use-settings.ts'
import styles from './setting-list.module.css'

interface SettingListProps {
  readonly label: string
  readonly settings: readonly Setting[]
}

/** Settings of one group with what is set, in words, and the button that changes each. */
export function SettingList({ label, settings }: SettingListProps) {
  const id = useId()
  return (
    <>
      <h3 id={id} className={styles.heading}>
        {label}
      </h3>
      <ul className={styles.list} aria-labelledby={id}>
        {settings.map(({ key, title, value, blocked, onEdit }) => (
          <li key={key}>
            <span>{title}</span>
            <span className={styles.value}>{value}</span>
            {onEdit !== null && (
              <ActionButton
                theme="borderless"
                size="small"
                blocked={blocked}
                aria-label={`修改 ${title}`}
                onClick={onEdit}
              >
                修改
              </ActionButton>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
