import { MemberPasswordDialog as PasswordDialog } from '#ui/member/member-password-dialog.tsx'
import { PhoneDialog as LoadedPhoneDialog } from '#ui/member/phone-dialog.tsx'
import { StaticRoutesDialog as RoutesDialog } from '#ui/member/static-routes-dialog.tsx'
import { useMemberInfo } from '../api.ts'
import type { MemberDialogProps } from '../settings/dialog-context.ts'
import { LoadingDialog } from '#ui/dialog/dialog.tsx'

/* Dialogs of one member on the network page: phone, password and static routes. */

/** Dialog that binds a phone (绑定手机). The list of members has no phone numbers, so the member is read first. */
export function PhoneDialog({ member: { router_name }, onClose }: MemberDialogProps) {
  const query = useMemberInfo(router_name)
  if (query.data === undefined) return <LoadingDialog title="绑定手机" query={query} onClose={onClose} />
  return <LoadedPhoneDialog info={query.data.data} onClose={onClose} />
}

export function MemberPasswordDialog({ member, onClose }: MemberDialogProps) {
  return <PasswordDialog info={member} onClose={onClose} />
}

export function StaticRoutesDialog({ member, onSaved, onClose }: MemberDialogProps) {
  return <RoutesDialog routerName={member.router_name} onSaved={onSaved} onClose={onClose} />
}
