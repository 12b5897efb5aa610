import { Skeleton } from './skeleton.tsx'
import { ErrorState } from './states.tsx'

interface LoadingProps {
  readonly query: { readonly error?: unknown; readonly mutate: () => unknown }
  readonly lines?: number
}

/** In place of what is read: a skeleton until it comes, the error with a retry once the query has failed. */
export function Loading({ query: { error, mutate }, lines = 3 }: LoadingProps) {
  return error === undefined ? <Skeleton lines={lines} /> : <ErrorState error={error} onRetry={() => void mutate()} />
}
