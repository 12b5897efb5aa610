import { useState } from 'react'
import { ROUTER_ERRORS } from '#contract/router/errors.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { useMayEdit } from './api.ts'
import { bandwidthBlocked, type SaasRow } from './saas-text.ts'

/* Actions of a SaaS device, and the dialogs that they open. */

const NoteDialog = lazyDialog(() => import('#ui/member/member-note-dialog.tsx').then((m) => m.MemberNoteDialog))
const BandwidthDialog = lazyDialog(() => import('./saas-bandwidth-dialog.tsx').then((m) => m.SaasBandwidthDialog))

export function useDeviceDialogs() {
  const mayEdit = useMayEdit()
  const [open, setOpen] = useState<{ readonly device: SaasRow; readonly what: 'note' | 'bandwidth' } | null>(null)
  const close = () => setOpen(null)
  const toActions = (device: SaasRow): readonly RowAction[] => {
    if (!mayEdit) return []
    const shared = device.shared === 1 ? ROUTER_ERRORS.ROUTER_SHARED.msg : null
    return [
      { label: '修改备注', onSelect: () => setOpen({ device, what: 'note' }), blocked: shared },
      {
        label: '修改带宽',
        onSelect: () => setOpen({ device, what: 'bandwidth' }),
        blocked: shared ?? bandwidthBlocked(device, Date.now()),
      },
    ]
  }
  const dialog =
    open === null ? null : open.what === 'note' ? (
      <NoteDialog info={open.device} onClose={close} />
    ) : (
      <BandwidthDialog device={open.device} onClose={close} />
    )
  return { toActions, dialog }
}
