import IconAlertTriangle from '@douyinfe/semi-icons/lib/es/icons/IconAlertTriangle'
import IconTickCircle from '@douyinfe/semi-icons/lib/es/icons/IconTickCircle'
import type { ReactNode } from 'react'
import { RESULT } from '#contract/kernel/result.ts'
import { NETWORK_ERROR } from '#lib/call/transport.ts'
import { toErrorView } from '#ui/state/error-view.ts'
import { ApiError } from '#lib/call/call.ts'
import styles from './link-result.module.css'

/** Answer of the server to the link of a mail. */
export interface LinkAnswer {
  readonly code: number
  readonly msg: string
}

/** 404 until the server answers 200 (account 2). */
export const NO_ANSWER: LinkAnswer = { code: 404, msg: '' }

export const isDone = ({ code }: LinkAnswer): boolean => code === RESULT.ok
/** The server was not reached, or failed: the link may still be good. */
export const mayRetry = ({ code }: LinkAnswer): boolean => code === NETWORK_ERROR || code >= RESULT.fault

/** The answer as the page shows it, a refusal among them. */
export const toAnswer = (reply: Promise<{ readonly msg: string }>): Promise<LinkAnswer> =>
  reply.then(
    ({ msg }) => ({ code: RESULT.ok, msg }),
    (error: unknown) => ({
      code: error instanceof ApiError ? error.code : RESULT.fault,
      msg: toErrorView(error).message,
    }),
  )

interface LinkPageProps {
  readonly title: string
  /** Answer of the server; null before anything was asked. */
  readonly answer: LinkAnswer | null
  readonly isBusy?: boolean
  readonly children?: ReactNode
}

/** A page that a mail links to, with the image of its result. */
export function LinkPage({ title, answer, isBusy = false, children }: LinkPageProps) {
  return (
    <section className={styles.card} aria-busy={isBusy}>
      <h1>{title}</h1>
      {answer !== null && !isBusy && (
        <div role="status" className={styles.result} data-done={isDone(answer)}>
          <span role="img" aria-label={isDone(answer) ? '成功' : '失败'} className={styles.image}>
            {isDone(answer) ? <IconTickCircle aria-hidden="true" /> : <IconAlertTriangle aria-hidden="true" />}
          </span>
          <strong>{answer.msg}</strong>
        </div>
      )}
      {children}
    </section>
  )
}
