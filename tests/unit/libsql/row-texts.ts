import { run } from '#tests/support/libsql.ts'

/** Columns of each row, joined. */
export const texts = async (sql: string, args: (string | number)[]) =>
  (await run(sql, args)).map((row) => Array.from({ length: row.length }, (_, i) => row[i]).join(' '))
