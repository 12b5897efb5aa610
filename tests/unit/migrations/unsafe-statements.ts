import type { Migration } from './releases.ts'

const NAME = '(?:["`[]?main["`\\]]?\\.)?["`[]?(\\w+)'

/**
 * Statements that may delete rows of other tables. D1 enforces foreign keys while it migrates and cannot switch them off:
 * DROP TABLE deletes the table's rows first, and ON DELETE CASCADE takes their children along, so the usual rebuild
 * (create, copy, drop, rename) loses them without an error.
 */
export function unsafeStatements(migrations: readonly Migration[]): string[] {
  const statements = migrations.flatMap(({ name, sql }) => splitStatements(sql).map((text) => ({ name, text })))
  const references = statements.flatMap(({ text }) => [...text.matchAll(new RegExp(`\\breferences\\s+${NAME}`, 'gi'))])
  const referenced = new Set(references.map(([, table = '']) => table.toLowerCase()))
  return statements.flatMap(({ name, text }) => {
    const found = findProblem(text, referenced)
    return found ? [`${name}: ${found}`] : []
  })
}

function findProblem(statement: string, referenced: ReadonlySet<string>): string | null {
  const target = (pattern: string) => {
    const table = new RegExp(`^${pattern}\\s+${NAME}`, 'i').exec(statement)?.[1]?.toLowerCase() ?? ''
    return referenced.has(table) ? table : null
  }
  const dropped = target('drop\\s+table(?:\\s+if\\s+exists)?')
  if (dropped) return `DROP TABLE ${dropped} deletes the rows of tables that reference it`
  const replaced = target('(?:insert\\s+or\\s+replace|replace)\\s+into')
  if (replaced) return `REPLACE INTO ${replaced} deletes the rows of tables that reference it`
  const emptied = target('delete\\s+from')
  if (emptied && !/\bwhere\b/i.test(statement)) return `DELETE FROM ${emptied} has no WHERE`
  if (new RegExp(`^alter\\s+table\\s+${NAME}["\`\\]]?\\s+rename\\s+to\\b`, 'i').test(statement)) {
    return 'ALTER TABLE … RENAME TO is the end of a rebuild: add a column or a table instead'
  }
  const pragma = /^pragma\s+(?:main\.)?(foreign_keys|legacy_alter_table|writable_schema)\b/i.exec(statement)?.[1]
  return pragma ? `PRAGMA ${pragma} has no effect, or a bad one` : null
}

/**
 * Statements that take away what the release before reads or writes. `npm run deploy` migrates first: until its Worker is
 * there, and again after a rollback, that release runs on the new schema.
 */
export const breakingStatements = (migrations: readonly Migration[]): string[] =>
  migrations.flatMap(({ name, sql }) =>
    splitStatements(sql).flatMap((text) => {
      const found = findRemoval(text)
      return found ? [`${name}: ${found}`] : []
    }),
  )

function findRemoval(statement: string): string | null {
  const [, kind = '', name = ''] =
    new RegExp(`^drop\\s+(table|view)(?:\\s+if\\s+exists)?\\s+${NAME}`, 'i').exec(statement) ?? []
  if (kind !== '') return `DROP ${kind.toUpperCase()} ${name}`
  const [, table = '', change = '', what = ''] =
    new RegExp(`^alter\\s+table\\s+${NAME}["\`\\]]?\\s+(drop|rename)\\s+(?:column\\s+)?["\`[]?(\\w+)`, 'i').exec(
      statement,
    ) ?? []
  return change === '' ? null : `ALTER TABLE ${table} ${change.toUpperCase()} ${what}`
}

/** Without comments and texts, so that words in them count for nothing. */
const splitStatements = (sql: string): string[] =>
  sql
    .replace(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'/g, (match) => (match.startsWith("'") ? "''" : ' '))
    .split(';')
    .map((text) => text.trim())
    .filter((text) => text !== '')
