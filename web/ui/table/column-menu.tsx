import IconColumns from '@douyinfe/semi-icons/lib/es/icons/IconColumnsStroked'
import Button from '@douyinfe/semi-ui/lib/es/button'
import Dropdown from '@douyinfe/semi-ui/lib/es/dropdown'
import { useState } from 'react'
import { readStored, writeStored } from '#lib/session/browser-storage.ts'
import { useOwner } from '#lib/session/session.ts'
import './column-menu.css'
import type { Column } from './table-column.ts'

/* Menu that chooses the shown columns of a table, and the hook that keeps the choice. */

export function ColumnMenu({
  choice,
}: {
  readonly choice: Omit<ReturnType<typeof useColumnChoice>, 'shown' | 'turned'>
}) {
  const { choices, toggle, isChanged, reset } = choice
  if (choices.length < 2) return null
  return (
    <Dropdown
      trigger="click"
      position="bottomRight"
      closeOnEsc
      render={
        <div className="nl-column-menu" role="group" aria-label="显示的列">
          {choices.map(({ key, title, isShown }) => (
            <label key={key}>
              <input type="checkbox" checked={isShown} onChange={() => toggle(key)} />
              {title}
            </label>
          ))}
          <Button theme="borderless" size="small" disabled={!isChanged} onClick={reset}>
            恢复默认
          </Button>
        </div>
      }
    >
      <Button
        className="nl-column-button"
        theme="borderless"
        type="tertiary"
        icon={<IconColumns />}
        aria-label="选择显示的列"
      >
        列
      </Button>
    </Dropdown>
  )
}

const toStorageKey = (owner: string, table: string) => `netloom-columns:${owner}:${table}`

/** Choice of columns that is kept elsewhere than in this browser, as in the address. */
interface KeptColumns {
  readonly keys: ReadonlySet<string>
  readonly onChange: (keys: ReadonlySet<string>) => void
}

/**
 * Visible columns of a table, and `choices`, which a person may turn on or off: not the name of a row and not its actions.
 * Kept for each person and table in this browser; `isChanged` if they differ from the default of the table.
 */
export function useColumnChoice<Row>(
  table: string,
  columns: readonly Column<Row>[],
  elsewhere: KeptColumns | null = null,
) {
  const key = toStorageKey(useOwner(), table)
  const [kept, setKept] = useState(() => ({ key, keys: readKeys(key) }))
  const turned = elsewhere?.keys ?? (kept.key === key ? kept.keys : readKeys(key))
  const set = (keys: ReadonlySet<string>) => {
    if (elsewhere !== null) return elsewhere.onChange(keys)
    writeStored('localStorage', key, keys.size === 0 ? null : [...keys].join(','))
    setKept({ key, keys })
  }
  const isShown = (column: Column<Row>) => (column.isOptional ?? false) === turned.has(column.key)
  const choosable = columns.filter(isChoosable)
  return {
    turned,
    shown: columns.filter((column) => !isChoosable(column) || isShown(column)),
    choices: choosable.map((column) => ({ key: column.key, title: column.title, isShown: isShown(column) })),
    toggle(column: string) {
      const next = new Set(turned)
      if (!next.delete(column)) next.add(column)
      set(next)
    },
    isChanged: choosable.some(({ key }) => turned.has(key)),
    reset: () => set(new Set()),
  }
}

function isChoosable<Row>({ isName, sticky }: Column<Row>): boolean {
  return !isName && sticky === undefined
}

const readKeys = (key: string): ReadonlySet<string> =>
  new Set((readStored('localStorage', key) ?? '').split(',').filter(Boolean))
