import { useState } from 'react'
import { useOwner } from '#lib/session/session.ts'
import type { Column } from './table-column.ts'

/** Visible columns of a table, and those that a user may hide. */
export interface ColumnChoice<Row> {
  readonly shown: readonly Column<Row>[]
  /** Columns that may be left out: not the name of a row and not its actions. */
  readonly choices: readonly { readonly key: string; readonly title: string; readonly isShown: boolean }[]
  readonly toggle: (column: string) => void
  /** Something differs from the table's own choice. */
  readonly isChanged: boolean
  readonly reset: () => void
}

const toStorageKey = (owner: string, table: string) => `netloom-columns:${owner}:${table}`

/** Keys of columns that a person has turned on or off, kept for each person and table in this browser. */
export function useColumnChoice<Row>(table: string, columns: readonly Column<Row>[]): ColumnChoice<Row> {
  const key = toStorageKey(useOwner(), table)
  const [kept, setKept] = useState(() => ({ key, keys: readKeys(key) }))
  const turned = kept.key === key ? kept.keys : readKeys(key)
  const set = (keys: ReadonlySet<string>) => {
    writeKeys(key, keys)
    setKept({ key, keys })
  }
  const isShown = (column: Column<Row>) => (column.isOptional ?? false) === turned.has(column.key)
  const choosable = columns.filter(isChoosable)
  return {
    shown: columns.filter((column) => !isChoosable(column) || isShown(column)),
    choices: choosable.map((column) => ({ key: column.key, title: column.title, isShown: isShown(column) })),
    toggle(column) {
      const next = new Set(turned)
      if (!next.delete(column)) next.add(column)
      set(next)
    },
    isChanged: choosable.some(({ key }) => turned.has(key)),
    reset: () => set(new Set()),
  }
}

const isChoosable = <Row>({ isName, sticky }: Column<Row>): boolean => !isName && sticky === undefined

function readKeys(key: string): ReadonlySet<string> {
  try {
    return new Set((localStorage.getItem(key) ?? '').split(',').filter(Boolean))
  } catch {
    return new Set() // storage is blocked
  }
}

function writeKeys(key: string, keys: ReadonlySet<string>): void {
  try {
    if (keys.size === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, [...keys].join(','))
  } catch {
    // storage blocked or full: the choice lasts as long as the page
  }
}
