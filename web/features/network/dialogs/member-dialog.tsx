import type { ComponentType } from 'react'
import { ERRORS } from '../../../../worker/contract/errors.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import type { MemberDialogProps, NetworkDialogProps } from './dialog-context.ts'

/** A dialog that is opened on a member, by its name: one that has left meanwhile is not edited, and the dialog says so. */
export function onMember(title: string, Component: ComponentType<MemberDialogProps>) {
  return function MemberDialog({ subject, ...props }: NetworkDialogProps & { readonly subject: string }) {
    const member = props.info.member.find(({ router_name }) => router_name === subject)
    if (member !== undefined) return <Component {...props} member={member} />
    return (
      <Dialog title={title} widthPx={440} onClose={props.onClose}>
        <p>{ERRORS.MEMBER_NOT_IN_NETWORK.msg}</p>
      </Dialog>
    )
  }
}
