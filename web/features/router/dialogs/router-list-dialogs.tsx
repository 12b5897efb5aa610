import { type ComponentProps, lazy, type ReactNode } from 'react'
import { DialogProvider, type RouterListDialogProps } from './open-dialog.ts'

/** Forms are chunks of their own: few visitors open them. */
const DIALOGS: ComponentProps<typeof DialogProvider>['table'] = {
  claim: lazy(() => import('./claim-dialog.tsx').then((m) => ({ default: m.ClaimDialog }))),
  software: lazy(() => import('./software-dialog.tsx').then((m) => ({ default: m.SoftwareDialog }))),
  batch: lazy(() => import('./batch-add-dialog.tsx').then((m) => ({ default: m.BatchAddDialog }))),
  sign: lazy(() => import('./sign-dialog.tsx').then((m) => ({ default: m.SignDialog }))),
}

export function RouterListDialogs({ children, ...props }: RouterListDialogProps & { readonly children: ReactNode }) {
  return (
    <DialogProvider table={DIALOGS} props={props}>
      {children}
    </DialogProvider>
  )
}
