import { MemberPasswordDialog as Dialog } from '#ui/member/member-password-dialog.tsx'
import type { MemberDialogProps } from '../settings/dialog-context.ts'

export function MemberPasswordDialog({ member, onClose }: MemberDialogProps) {
  return <Dialog info={member} onClose={onClose} />
}
