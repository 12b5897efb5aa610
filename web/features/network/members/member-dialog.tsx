import type { ComponentType } from 'react'
import { ERRORS } from '#contract/kernel/errors.ts'
import { useUser } from '#lib/session/session.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import type { MemberDialogProps, NetworkDialogProps } from '../settings/dialog-context.ts'
import type { MemberScope } from '../settings/dialog-table.ts'

interface MemberRow {
  readonly title: string
  readonly component: ComponentType<MemberDialogProps>
}

/**
 * A dialog that is opened on a member, by its name. One that has left meanwhile, or for which `shows` is no longer true,
 * is not edited, and the dialog says so.
 */
export function onMember(
  { title, component: Component }: MemberRow,
  shows: (scope: MemberScope) => boolean = () => true,
) {
  return function MemberDialog({ subject, ...props }: NetworkDialogProps & { readonly subject: string }) {
    const { auth } = useUser()
    const { info, onClose } = props
    const member = info.member.find(({ router_name }) => router_name === subject)
    if (member !== undefined && shows({ info, auth, member })) return <Component {...props} member={member} />
    return (
      <Dialog title={title} widthPx={440} onClose={onClose}>
        <p>{member === undefined ? ERRORS.MEMBER_NOT_IN_NETWORK.msg : '成员的角色已变化，不再有此项配置'}</p>
      </Dialog>
    )
  }
}
