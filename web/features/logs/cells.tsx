import { shortTimeText } from '#lib/format/format-time.ts'
import { IdentityCell } from '#ui/table/identity-cell.tsx'
import type { Column } from '#ui/table/table-column.ts'

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
