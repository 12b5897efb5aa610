import type { BatchItem } from 'drizzle-orm/batch'
import type { Db } from './client.ts'

/* Batch of named statements in one transaction, and callbacks after its commit. */

type Statement = BatchItem<'sqlite'>
/** Statements by name; one that is undefined or false is left out, and its result is undefined. */
export type Statements = Readonly<Record<string, Statement | undefined | false>>
type ResultOf<S> = S extends Statement ? S['_']['result'] : undefined
export type Results<S extends Statements> = { readonly [K in keyof S]: ResultOf<S[K]> }

const callbacks = new WeakMap<Statement, (result: never) => void>()

/** Calls back with the result of the statement once its `batch` has committed. */
export function afterCommit<S extends Statement>(statement: S, callback: (result: S['_']['result']) => void): S {
  callbacks.set(statement, callback)
  return statement
}

/** Runs the statements in their order, in one round trip and one transaction. The results have the same names. */
export async function batch<const S extends Statements>(db: Db, statements: S): Promise<Results<S>> {
  const entries = Object.entries(statements).filter((entry): entry is [string, Statement] => Boolean(entry[1]))
  const [first, ...rest] = entries.map(([, statement]) => statement)
  const results: readonly unknown[] = first ? await db.batch([first, ...rest]) : []
  for (const [i, [, statement]] of entries.entries()) callbacks.get(statement)?.(results[i] as never)
  return Object.fromEntries(entries.map(([name], i) => [name, results[i]])) as never
}
