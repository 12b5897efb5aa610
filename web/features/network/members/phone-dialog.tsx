import { PhoneDialog as Dialog } from '#ui/member/phone-dialog.tsx'
import { useMemberInfo } from '../api.ts'
import type { MemberDialogProps } from '../settings/dialog-context.ts'
import { LoadedDialog } from '../settings/loaded-dialog.tsx'

/** The list of members carries no phones: the member's own is read first. */
export function PhoneDialog({ member: { router_name }, onClose }: MemberDialogProps) {
  const query = useMemberInfo(router_name)
  if (query.data === undefined) return <LoadedDialog title="绑定手机" query={query} onClose={onClose} />
  return <Dialog info={query.data.data} onClose={onClose} />
}
