import { memberLabel } from '#lib/format/member-label.ts'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { IdentityCell, type IdentityCellProps } from '#ui/table/identity-cell.tsx'

/* Identity of a member in a list: its note above serial or account; without a note, serial or account comes first. */

interface MemberIdentityProps extends Pick<IdentityCellProps, 'to' | 'isNewTab' | 'onOpen' | 'compactText'> {
  readonly member: { readonly router_name: string; readonly note: string }
  readonly kind?: string
}

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
