import { Skeleton } from './skeleton.tsx'
import { ErrorState } from './page-states.tsx'

/* Placeholder of loading data: a skeleton, or the error with a retry once the query has failed. */

interface LoadingProps {
  readonly query: { readonly error?: unknown; readonly mutate: () => unknown }
  readonly lines?: number
}

export function Loading({ query: { error, mutate }, lines = 3 }: LoadingProps) {
  return error === undefined ? <Skeleton lines={lines} /> : <ErrorState error={error} onRetry={() => void mutate()} />
}
