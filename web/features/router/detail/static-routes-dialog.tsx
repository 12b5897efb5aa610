import { StaticRoutesDialog as Dialog } from '#ui/member/static-routes-dialog.tsx'
import type { RouterInfo } from '../router-text.ts'

interface StaticRoutesDialogProps {
  readonly info: RouterInfo
  readonly onClose: () => void
}

export function StaticRoutesDialog({ info: { router_name }, onClose }: StaticRoutesDialogProps) {
  return <Dialog routerName={router_name} onClose={onClose} />
}
