import { countText } from '#lib/format/format-unit.ts'
import './states.css'
import { Icon } from './state-icon.tsx'
import { TableScroll } from '#ui/table/table-rows.tsx'

/* Result of each row of a batch: failed rows, rows skipped because of them, then successful rows. */

const HEIGHT_PX = 360 // section network 2 of the specification

export interface BatchRow {
  /** Name of the account, device or line of the file. */
  readonly name: string
  readonly done: boolean
  /** Reason of the failure, or a remark. */
  readonly note?: string
  /** Skipped because other rows failed; the row itself is valid. */
  readonly isLeftOut?: boolean
}

/** Row of an API reply; the message is empty on success. */
export const toBatchRow = (name: string, done: 0 | 1, msg: string): BatchRow => ({
  name,
  done: done === 1,
  ...(msg !== '' && { note: msg }),
})

export function BatchResult({ label, rows }: { readonly label: string; readonly rows: readonly BatchRow[] }) {
  const refused = rows.filter((row) => !row.done)
  const failed = [...refused.filter((row) => !row.isLeftOut), ...refused.filter((row) => row.isLeftOut)]
  const done = rows.filter((row) => row.done)
  return (
    <div className="nl-batch">
      <p role="status">
        共 {countText(rows.length)} 条：成功 <strong className="nl-tone-ok">{countText(done.length)}</strong>，失败{' '}
        <strong className={failed.length > 0 ? 'nl-tone-bad' : ''}>{countText(failed.length)}</strong>
      </p>
      <TableScroll style={{ maxHeight: HEIGHT_PX }} tabIndex={0} role="region" aria-label={label}>
        <table className="nl-table">
          <thead>
            <tr>
              <th scope="col">名称</th>
              <th scope="col">结果</th>
              <th scope="col">说明</th>
            </tr>
          </thead>
          <tbody>
            {[...failed, ...done].map((row, index) => (
              <tr key={`${index} ${row.name}`}>
                <td>{row.name}</td>
                <td>
                  <span className="nl-status">
                    <Icon shape={row.done ? 'tick' : 'cross'} tone={row.done ? 'ok' : 'bad'} />
                    {row.done ? '成功' : '失败'}
                  </span>
                </td>
                <td>{row.note ?? '—'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </div>
  )
}
