import { type ComponentProps, type ReactNode } from 'react'
import { DialogProvider, type RouterListDialogProps } from './router-list-context.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'

/** Forms are chunks of their own: few visitors open them. */
const DIALOGS: ComponentProps<typeof DialogProvider>['table'] = {
  claim: lazyDialog(() => import('./claim-dialog.tsx').then((m) => ({ default: m.ClaimDialog }))),
  software: lazyDialog(() => import('./software-dialog.tsx').then((m) => ({ default: m.SoftwareDialog }))),
  batch: lazyDialog(() => import('./batch/batch-add-dialog.tsx').then((m) => ({ default: m.BatchAddDialog }))),
  sign: lazyDialog(() => import('#ui/member/sign-dialog.tsx').then((m) => ({ default: m.SignDialog }))),
}

export function RouterListDialogs({ children, ...props }: RouterListDialogProps & { readonly children: ReactNode }) {
  return (
    <DialogProvider table={DIALOGS} props={props}>
      {children}
    </DialogProvider>
  )
}
