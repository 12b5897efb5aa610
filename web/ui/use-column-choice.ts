import { useState } from 'react'
import type { Column } from './table-column.ts'

/** Which columns of a table are shown, and what a person may choose of them. */
export interface ColumnChoice<Row> {
  readonly shown: readonly Column<Row>[]
  /** Columns that may be left out: not the name of a row and not its actions. */
  readonly choices: readonly { readonly key: string; readonly title: string; readonly isShown: boolean }[]
  readonly toggle: (key: string) => void
  /** Something differs from the table's own choice. */
  readonly isChanged: boolean
  readonly reset: () => void
}

const toStorageKey = (table: string) => `netloom-columns:${table}`

/** Keys of columns that a person has turned on or off, kept for each table in this browser. */
export function useColumnChoice<Row>(table: string, columns: readonly Column<Row>[]): ColumnChoice<Row> {
  const [kept, setKept] = useState(() => ({ table, keys: readKeys(table) }))
  const turned = kept.table === table ? kept.keys : readKeys(table)
  const set = (keys: ReadonlySet<string>) => {
    writeKeys(table, keys)
    setKept({ table, keys })
  }
  const isShown = (column: Column<Row>) => (column.isOptional ?? false) === turned.has(column.key)
  const choosable = columns.filter(isChoosable)
  return {
    shown: columns.filter((column) => !isChoosable(column) || isShown(column)),
    choices: choosable.map((column) => ({ key: column.key, title: column.title, isShown: isShown(column) })),
    toggle(key) {
      const next = new Set(turned)
      if (!next.delete(key)) next.add(key)
      set(next)
    },
    isChanged: choosable.some(({ key }) => turned.has(key)),
    reset: () => set(new Set()),
  }
}

const isChoosable = <Row>({ isName, sticky }: Column<Row>): boolean => !isName && sticky === undefined

function readKeys(table: string): ReadonlySet<string> {
  try {
    return new Set((localStorage.getItem(toStorageKey(table)) ?? '').split(',').filter(Boolean))
  } catch {
    return new Set() // storage is blocked
  }
}

function writeKeys(table: string, keys: ReadonlySet<string>): void {
  try {
    if (keys.size === 0) localStorage.removeItem(toStorageKey(table))
    else localStorage.setItem(toStorageKey(table), [...keys].join(','))
  } catch {
    // storage blocked or full: the choice lasts as long as the page
  }
}
