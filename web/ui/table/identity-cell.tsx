import type { ReactElement, ReactNode } from 'react'
import { Link } from 'react-router'
import './identity-cell.css'
import { NETWORK } from '#contract/network/limits.ts'
import { withLinkedName } from '#lib/linked-name.ts'
import { TruncatedText } from '#ui/layout/text/tooltip.tsx'
import type { Column } from './table-column.ts'

/* Table cell of the identity of a row: its linked name above its number. */

export interface IdentityCellProps {
  /** A string is truncated to NETWORK.noteShown characters; an element is shown unchanged. */
  readonly name: string | ReactElement
  /** A long name, such as a title, wraps instead of being truncated. */
  readonly wraps?: boolean
  /** Target of the link of the name; a page that opens beside the list has its own tab (network 2). */
  readonly to?: string | undefined
  readonly isNewTab?: boolean
  /** Opens a target without an address, such as a drawer. */
  readonly onOpen?: (() => void) | undefined
  /** Text under the name: number, serial. */
  readonly second?: ReactNode
  /** Text after the second line on a phone: the most important of the hidden columns. */
  readonly compactText?: string
}

export function IdentityCell({
  name,
  wraps = false,
  to,
  isNewTab = false,
  onOpen,
  second,
  compactText,
}: IdentityCellProps) {
  const text = wraps || typeof name !== 'string' ? name : <TruncatedText text={name} max={NETWORK.noteShown} />
  const tab = isNewTab && { target: '_blank', rel: 'noopener noreferrer' }
  return (
    <span className={wraps ? 'nl-identity nl-identity-wraps' : 'nl-identity'}>
      <span className="nl-identity-name">
        {to !== undefined ? (
          <Link to={to} {...tab} {...(typeof name === 'string' && { state: withLinkedName(name) })}>
            {text}
          </Link>
        ) : onOpen !== undefined ? (
          <button type="button" className="nl-link" aria-haspopup="dialog" onClick={onOpen}>
            {text}
          </button>
        ) : (
          text
        )}
      </span>
      <span className="nl-identity-second">
        {second}
        {compactText !== undefined && compactText !== '' && <span className="nl-identity-compact">{compactText}</span>}
      </span>
    </span>
  )
}

/** Column of titles, each in as many lines as it needs. */
export const titleColumn = <Row,>(title: string, toIdentity: (row: Row) => IdentityCellProps): Column<Row> => ({
  key: 'title',
  title,
  isName: true,
  wrap: true,
  cell: (row) => <IdentityCell wraps {...toIdentity(row)} />,
})
