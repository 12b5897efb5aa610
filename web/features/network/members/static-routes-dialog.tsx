import { StaticRoutesDialog as Dialog } from '#ui/member/static-routes-dialog.tsx'
import type { MemberDialogProps } from '../settings/dialog-context.ts'

export function StaticRoutesDialog({ member, onSaved, onClose }: MemberDialogProps) {
  return <Dialog routerName={member.router_name} onSaved={onSaved} onClose={onClose} />
}
