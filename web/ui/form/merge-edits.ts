import { isSameJson } from '#contract/kernel/compare.ts'

/* Three-way merge of form values: unedited values follow the later save of somebody else, edited values stay. */

type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Identifies the row of a member by its name, any other row by all of its content. */
const keyOf = (row: unknown): string =>
  isRow(row) && typeof row['router_name'] === 'string' ? row['router_name'] : JSON.stringify(row)
const byKey = (rows: readonly unknown[]) => new Map(rows.map((row) => [keyOf(row), row]))

export function mergeEdits(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (isSameJson(mine, base)) return theirs
  if (isSameJson(theirs, base)) return mine
  if (isRow(base) && isRow(mine) && isRow(theirs))
    return Object.fromEntries(
      Object.entries(mine).map(([key, value]) => [key, mergeEdits(base[key], value, theirs[key])]),
    )
  if (!Array.isArray(base) || !Array.isArray(mine) || !Array.isArray(theirs)) return mine
  const arrays = [base, mine, theirs] as const
  const areTexts = arrays.every((rows) => rows.length === base.length && !rows.some(isRow))
  return areTexts ? mine.map((text, i) => mergeEdits(base[i], text, theirs[i])) : mergeRows(...arrays)
}

function mergeRows(base: readonly unknown[], mine: readonly unknown[], theirs: readonly unknown[]): unknown[] {
  const [before, own, later] = [byKey(base), byKey(mine), byKey(theirs)]
  const kept = mine.flatMap((row) => {
    const key = keyOf(row)
    if (!before.has(key)) return [row]
    if (later.has(key)) return [mergeEdits(before.get(key), row, later.get(key))]
    return isSameJson(row, before.get(key)) ? [] : [row]
  })
  return [...kept, ...theirs.filter((row) => !before.has(keyOf(row)) && !own.has(keyOf(row)))]
}
