/* Transfer of a router's hub to another object: pages of its storage. */

/** Value of a column in a hub's own SQLite. */
export type StoredColumn = ArrayBuffer | string | number | null

export interface StoragePage {
  readonly values: readonly (readonly [key: string, value: unknown])[]
  /** Statements that create the tables of the rows in all pages. */
  readonly tables: readonly string[]
  readonly rows: readonly { readonly table: string; readonly row: Readonly<Record<string, StoredColumn>> }[]
  /** Cursor of the next page; null at the end. */
  readonly next: string | null
}
