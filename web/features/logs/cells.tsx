import { Icon, type Shape, type Tone } from '#ui/state/icon.tsx'
import { IdentityCell } from '#ui/table/identity-cell.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { shortTimeText } from '#lib/format/format-time.ts'

/** The member under the name of that time, over its present note. */
export const memberColumn = <Row extends { readonly router_name: string; readonly note: string }>(
  timeOf: (row: Row) => number,
): Column<Row> => ({
  key: 'member',
  title: '成员',
  isName: true,
  cell: (row) => (
    <IdentityCell name={row.router_name} second={<span>{row.note}</span>} compactText={shortTimeText(timeOf(row))} />
  ),
})

export const Mono = ({ text }: { readonly text: string }) => <span className="nl-mono">{text || '—'}</span>

/** Cell of an outcome: shape, word and colour. */
export function Outcome({ word, shape, tone }: { readonly word: string; readonly shape: Shape; readonly tone: Tone }) {
  return (
    <span className={`nl-status nl-tone-${tone}`}>
      <Icon shape={shape} tone={tone} />
      <span className="nl-status-word">{word}</span>
    </span>
  )
}
