import Button from '@douyinfe/semi-ui/lib/es/button'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useId, useState } from 'react'
import { useOnline } from '#lib/live/use-online.ts'
import { useLatest } from '#lib/use-latest.ts'
import { toErrorView } from './error-view.ts'
import { Notice } from './notice.tsx'
import { ErrorState } from './page-states.tsx'

/* One notice above a page for all of its parts that failed to load, with one retry. */

interface Failure {
  readonly error: unknown
  readonly retry: () => unknown
  /** Says which data the page still shows. */
  readonly note: string
}
type Report = (id: string, failure: Failure | null) => void

const ReportFailure = createContext<Report | null>(null)

/** Stands around a page of parts that load separately. */
export function FailureStrip({ children }: { readonly children: ReactNode }) {
  const [failures, setFailures] = useState<ReadonlyMap<string, Failure>>(new Map())
  const [isRetrying, setRetrying] = useState(false)
  const isOnline = useOnline()
  const report = useCallback<Report>((id, failure) => {
    setFailures((before) => {
      const after = new Map(before)
      if (failure === null) after.delete(id)
      else after.set(id, failure)
      return after
    })
  }, [])
  const retry = () => {
    setRetrying(true)
    void Promise.allSettled([...failures.values()].map((failure) => failure.retry())).then(() => setRetrying(false))
  }
  const [first] = failures.values()
  return (
    <ReportFailure.Provider value={report}>
      {/* While offline, the console shows its banner and reads again by itself. */}
      {first !== undefined && isOnline && (
        <Notice
          tone="bad"
          role="alert"
          actions={
            <Button loading={isRetrying} onClick={retry}>
              重试
            </Button>
          }
        >
          <FailureText error={first.error} failures={[...failures.values()]} />
        </Notice>
      )}
      {children}
    </ReportFailure.Provider>
  )
}

function FailureText({ error, failures }: { readonly error: unknown; readonly failures: readonly Failure[] }) {
  const { message, requestId } = toErrorView(error)
  const notes = new Set(failures.map(({ note }) => note).filter((note) => note !== ''))
  return (
    <>
      {failures.length > 1 ? `${failures.length} 项内容加载失败` : '部分内容加载失败'}：{message}
      {[...notes].map((note) => (
        <span key={note}> {note}</span>
      ))}
      {requestId !== undefined && <span className="nl-muted">　请求编号 {requestId}</span>}
    </>
  )
}

/** Reports a failed part to the strip of its page; false if the page has no strip and the part shows the failure itself. */
export function useReportedFailure(error: unknown, retry: () => unknown, note = ''): boolean {
  const report = useContext(ReportFailure)
  const id = useId()
  const latest = useLatest(retry)
  useEffect(() => {
    if (report === null || error === undefined) return
    report(id, { error, note, retry: () => latest.current() })
    return () => report(id, null)
  }, [report, id, error, note, latest])
  return report !== null
}

/** Replaces a part that could not be read; shows the failure only if no strip does. */
export function FailedPart({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const isReported = useReportedFailure(error, onRetry)
  if (isReported) return <p className="nl-state nl-muted">暂未加载，原因见页面上方</p>
  return <ErrorState error={error} onRetry={() => void onRetry()} />
}
