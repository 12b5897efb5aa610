import './before-after.css'

/* Table of the old and new value of each changed field. On a phone a field is a card. */

/** Changed field; null on the side that has no such field. */
export interface ShownChange {
  readonly field: string
  readonly name: string
  readonly before: string | null
  readonly after: string | null
}

export function BeforeAfter({ label, changes }: { readonly label: string; readonly changes: readonly ShownChange[] }) {
  return (
    <table className="nl-before-after" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">字段</th>
          <th scope="col">修改前</th>
          <th scope="col">修改后</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, name, before, after }) => (
          <tr key={field}>
            <th scope="row">{name}</th>
            <td data-side="修改前">{before === null ? <Nothing /> : <del>{before || EMPTY}</del>}</td>
            <td data-side="修改后">{after === null ? <Nothing /> : <ins>{after || EMPTY}</ins>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const EMPTY = '（空）'
const Nothing = () => <span className="nl-muted">—</span>
