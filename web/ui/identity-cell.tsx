import type { ReactElement, ReactNode } from 'react'
import { Link } from 'react-router'
import { NETWORK } from '../../worker/contract/limits.ts'
import { memberLabel } from '../lib/member-label.ts'
import { CopyText } from './copy-text.tsx'
import './identity-cell.css'
import { TruncatedText } from './truncated-text.tsx'

interface IdentityCellProps {
  /** A text is cut after as many characters as a note shows. */
  readonly name: string | ReactElement
  /** A long name, such as a title, goes on in further lines instead of being cut. */
  readonly wraps?: boolean
  /** Where the name leads; a page that opens beside the list stays a tab of its own (network 2). */
  readonly to?: string | undefined
  readonly isNewTab?: boolean
  /** Opens what has no address, such as a drawer. */
  readonly onOpen?: (() => void) | undefined
  /** Under the name: number, serial. */
  readonly second?: ReactNode
  /** On a phone behind the second line: what decides of the columns that are left out there. */
  readonly phone?: string
}

/** What a row is about: its name, linked, over its number. */
export function IdentityCell({ name, wraps = false, to, isNewTab = false, onOpen, second, phone }: IdentityCellProps) {
  const text = wraps || typeof name !== 'string' ? name : <TruncatedText text={name} max={NETWORK.noteShown} />
  const tab = isNewTab && { target: '_blank', rel: 'noopener noreferrer' }
  return (
    <span className={wraps ? 'nl-identity nl-identity-wraps' : 'nl-identity'}>
      <span className="nl-identity-name">
        {to !== undefined ? (
          <Link to={to} {...tab}>
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
        {phone !== undefined && phone !== '' && <span className="nl-identity-phone">{phone}</span>}
      </span>
    </span>
  )
}

interface MemberIdentityProps extends Pick<IdentityCellProps, 'to' | 'isNewTab' | 'onOpen' | 'phone'> {
  readonly member: { readonly router_name: string; readonly note: string }
  /** Behind serial or account: its kind. */
  readonly kind?: string
}

/** A member: its note over serial or account; without a note that comes first. */
export function MemberIdentity({ member, kind = '', ...rest }: MemberIdentityProps) {
  const { note, router_name } = member
  const second = (
    <>
      {note === '' ? <span className="nl-identity-none">未填写备注</span> : <CopyText text={router_name} />}
      {kind !== '' && <span className="nl-identity-kind">{kind}</span>}
    </>
  )
  return <IdentityCell {...rest} name={memberLabel(member)} second={second} />
}
