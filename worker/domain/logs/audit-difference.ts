import { EPOCH_MS } from '#contract/kernel/time-range.ts'
import { timeText } from '#contract/kernel/time.ts'
import { type AuditedCall, valueWord } from './audit-values.ts'
import { differenceWord } from './audit-words.ts'

/** One side of a change, by field. */
export type AuditSide = Readonly<Record<string, unknown>> | null

/** A row with its two sides, as they are stored. */
export const toAuditRow = <Row extends { readonly before: string | null; readonly after: string | null }>(
  row: Row,
) => ({
  ...row,
  before: toSide(row.before),
  after: toSide(row.after),
})

const toSide = (json: string | null): AuditSide => (json === null ? null : (JSON.parse(json) as AuditSide))

/** A field of a change in words; null on the side that has no such field. */
export interface FieldChange {
  readonly field: string
  readonly name: string
  readonly before: string | null
  readonly after: string | null
}

/** Fields in the order in which they were written; one that is the same on both sides is left out. */
export function toFieldChanges(
  before: AuditSide,
  after: AuditSide,
  call: AuditedCall | null = null,
): readonly FieldChange[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...fields].flatMap((field) => {
    const change = { before: sideText(before, field, call), after: sideText(after, field, call) }
    return change.before === change.after ? [] : [{ field, name: differenceWord(field), ...change }]
  })
}

/** The change as lines of a cell: `备注：旧 → 新`. */
export const changesText = (before: AuditSide, after: AuditSide, call: AuditedCall | null = null): string =>
  toFieldChanges(before, after, call).map(lineText).join('\n')

function lineText({ name, before, after }: FieldChange): string {
  if (before === null || after === null)
    return `${name}：${(before ?? after) || EMPTY}${after === null ? ' → 已移除' : ''}`
  return `${name}：${before || EMPTY} → ${after || EMPTY}`
}

const EMPTY = '（空）'

const sideText = (side: AuditSide, field: string, call: AuditedCall | null): string | null =>
  side !== null && Object.hasOwn(side, field) ? valueText(field, side[field], call) : null

function valueText(field: string, value: unknown, call: AuditedCall | null): string {
  if (value === null || value === undefined) return ''
  const word = valueWord(field, value, call)
  if (word !== null) return word
  if (typeof value === 'boolean') return value ? '是' : '否'
  if (typeof value === 'number') return isTime(field, value) ? timeText(value) : String(value)
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every(isPlain)) return value.map((item) => valueText(field, item, call)).join('、')
  return JSON.stringify(value)
}

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null

/** `expiresAt`, `start_time` and the like hold epoch milliseconds. */
const isTime = (field: string, value: number): boolean =>
  /(At|_at|_time)$/.test(field) && Number.isInteger(value) && value >= EPOCH_MS.first && value <= EPOCH_MS.last
