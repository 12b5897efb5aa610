import { type ComponentType, type ReactNode } from 'react'
import { createDialogs } from '#ui/dialog/create-dialogs.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import type { RouterInfo } from '../router-text.ts'

/* Dialogs of the page of one router, and the provider that shows them. */

interface RouterDialogProps {
  readonly info: RouterInfo
  readonly onClose: () => void
}

const DIALOGS = {
  staticRoutes: lazyDialog(() =>
    import('#ui/member/static-routes-dialog.tsx').then(
      ({ StaticRoutesDialog }) =>
        ({ info, onClose }: RouterDialogProps) => (
          <StaticRoutesDialog routerName={info.router_name} onClose={onClose} />
        ),
    ),
  ),
  endpoints: lazyDialog(() => import('./endpoints-dialog.tsx').then((m) => m.EndpointsDialog)),
  replace: lazyDialog(() => import('./replace-dialog.tsx').then((m) => m.ReplaceDialog)),
  // Its chunk brings the code of forms.
  note: lazyDialog(() => import('#ui/member/member-note-dialog.tsx').then((m) => m.MemberNoteDialog)),
} satisfies Record<string, ComponentType<RouterDialogProps>>

const { DialogProvider, useOpenDialog } = createDialogs<keyof typeof DIALOGS, Omit<RouterDialogProps, 'onClose'>>()
export { useOpenDialog }

export function RouterDialogs({ info, children }: { info: RouterInfo; children: ReactNode }) {
  return (
    <DialogProvider table={DIALOGS} props={{ info }}>
      {children}
    </DialogProvider>
  )
}
