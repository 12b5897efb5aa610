import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { SWRResponse } from 'swr'
import type { ApiError } from '../../../lib/call.ts'
import { useReportedFailure } from '../../../ui/failure-strip.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ErrorState } from '../../../ui/states.tsx'

interface CardProps<R> {
  readonly title: string
  readonly more: string
  readonly query: Pick<SWRResponse<R, ApiError>, 'data' | 'error'> & { readonly mutate: () => unknown }
  readonly children: (reply: R) => ReactNode
}

/** Card with one query's result and a link to its page. */
export function Card<R>({ title, more, query, children }: CardProps<R>) {
  const { data, error, mutate } = query
  const isReported = useReportedFailure(error, mutate)
  const actions = (
    <Link to={more} aria-label={`${title} 查看更多`}>
      查看更多
    </Link>
  )
  return (
    <Panel title={title} actions={actions}>
      {data !== undefined ? (
        children(data)
      ) : error ? (
        isReported ? (
          <p className="nl-muted">暂未加载</p>
        ) : (
          <ErrorState error={error} onRetry={mutate} />
        )
      ) : (
        <Skeleton lines={6} />
      )}
    </Panel>
  )
}
