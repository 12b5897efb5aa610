import { Dialog } from '#ui/dialog/dialog.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { ErrorState } from '#ui/state/states.tsx'

interface LoadedDialogProps {
  readonly title: string
  readonly query: { readonly error?: unknown; readonly mutate: () => Promise<unknown> }
  readonly onClose: () => void
}

/** Placeholder of a dialog while what it edits is read, or could not be. */
export function LoadedDialog({ title, query, onClose }: LoadedDialogProps) {
  return (
    <Dialog title={title} widthPx={480} onClose={onClose}>
      {query.error === undefined ? (
        <Skeleton lines={4} />
      ) : (
        <ErrorState error={query.error} onRetry={() => void query.mutate()} />
      )}
    </Dialog>
  )
}
