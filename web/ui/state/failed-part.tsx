import { useReportedFailure } from './failure-strip.tsx'
import { ErrorState } from './states.tsx'

interface FailedPartProps {
  readonly error: unknown
  readonly onRetry: () => unknown
}

/** In place of a part that could not be read: the failure itself only where no strip says it. */
export function FailedPart({ error, onRetry }: FailedPartProps) {
  const isReported = useReportedFailure(error, onRetry)
  if (isReported) return <p className="nl-state nl-muted">暂未加载，原因见页面上方</p>
  return <ErrorState error={error} onRetry={() => void onRetry()} />
}
