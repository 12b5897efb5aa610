import IconAlertTriangle from '@douyinfe/semi-icons/lib/es/icons/IconAlertTriangle'
import IconTickCircle from '@douyinfe/semi-icons/lib/es/icons/IconTickCircle'
import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ReactNode, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { CONTACT } from '#contract/contacts/limits.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { ApiError } from '#lib/call/call.ts'
import { NETWORK_ERROR } from '#lib/call/transport.ts'
import { toErrorView } from '#ui/state/error-view.ts'
import { acceptMails, refuseMails, unsubscribe, validateEmail } from './api.ts'
import styles from './contacts.module.css'

/* Pages behind the links of mails: verification of an e-mail address, unsubscription from alerts, end of verification mails. */

/** Posts the `s` of a verification link, and shows the answer (account 2). */
export function ValidateEmailPage() {
  const s = useSearchParams()[0].get('s') ?? ''
  const [tries, setTries] = useState(1)
  const [answer, setAnswer] = useState(NO_ANSWER)
  const [answered, setAnswered] = useState(0) // number of the last answered try
  useEffect(() => {
    let isShown = true
    void toAnswer(validateEmail(s)).then((next) => {
      if (!isShown) return
      setAnswer(next)
      setAnswered(tries)
    })
    return () => {
      isShown = false
    }
  }, [s, tries])
  const isBusy = answered < tries
  return (
    <LinkPage title="邮箱验证" answer={answer} isBusy={isBusy}>
      {isBusy && <p role="status">正在验证…</p>}
      {!isBusy && isDone(answer) && (
        <p>{`此邮箱可以接收告警通知，授权${CONTACT.authorizationDays}天内有效。您可以随时通过告警邮件中的链接退订。`}</p>
      )}
      {!isBusy && mayRetry(answer) && <Button onClick={() => setTries(tries + 1)}>重试</Button>}
    </LinkPage>
  )
}

/** Unsubscribes on a click. Opening the page does nothing, because mail scanners open links before people do. */
export function UnsubscribePage() {
  const s = useSearchParams()[0].get('s') ?? ''
  const [answer, setAnswer] = useState<LinkAnswer | null>(null)
  const [isBusy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    setAnswer(await toAnswer(unsubscribe(s)))
    setBusy(false)
  }
  const isOpen = answer === null || mayRetry(answer)
  return (
    <LinkPage title="退订告警通知" answer={answer} isBusy={isBusy}>
      {isOpen && <p>退订后，此邮箱不再接收告警通知。如需恢复，请联系将您添加为联系人的管理员。</p>}
      {isOpen && (
        <Button theme="solid" type="danger" loading={isBusy} onClick={() => void press()}>
          确认退订
        </Button>
      )}
      {answer !== null && isDone(answer) && <p>此邮箱不再接收告警通知。</p>}
    </LinkPage>
  )
}

/** Ends verification mails to the address on a click, and takes them again on another. */
export function RefuseMailsPage() {
  const s = useSearchParams()[0].get('s') ?? ''
  const [answer, setAnswer] = useState<LinkAnswer | null>(null)
  const [isRefused, setRefused] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    const next = await toAnswer(isRefused ? acceptMails(s) : refuseMails(s))
    setAnswer(next)
    if (isDone(next)) setRefused(!isRefused)
    setBusy(false)
  }
  const mayPress = answer === null || isDone(answer) || mayRetry(answer)
  return (
    <LinkPage title="验证邮件" answer={answer} isBusy={isBusy}>
      {mayPress && (
        <p>
          {isRefused
            ? '任何账号都不再向此邮箱发送验证邮件。'
            : '停止接收后，任何账号都不能再向此邮箱发送验证邮件。已验证的告警通知不受影响，请通过告警邮件中的链接退订。'}
        </p>
      )}
      {mayPress && (
        <Button
          theme={isRefused ? 'light' : 'solid'}
          type={isRefused ? 'tertiary' : 'danger'}
          loading={isBusy}
          onClick={() => void press()}
        >
          {isRefused ? '恢复接收' : '不再接收验证邮件'}
        </Button>
      )}
    </LinkPage>
  )
}

interface LinkAnswer {
  readonly code: number
  readonly msg: string
}

/** 404 until the server answers 200 (account 2). */
const NO_ANSWER: LinkAnswer = { code: 404, msg: '' }

const isDone = ({ code }: LinkAnswer): boolean => code === RESULT.ok

/** The server was not reached, or failed: the link may still be good. */
const mayRetry = ({ code }: LinkAnswer): boolean => code === NETWORK_ERROR || code >= RESULT.fault

const toAnswer = (reply: Promise<{ readonly msg: string }>): Promise<LinkAnswer> =>
  reply.then(
    ({ msg }) => ({ code: RESULT.ok, msg }),
    (error: unknown) => ({
      code: error instanceof ApiError ? error.code : RESULT.fault,
      msg: toErrorView(error).message,
    }),
  )

interface LinkPageProps {
  readonly title: string
  /** Answer of the server; null before the first request. */
  readonly answer: LinkAnswer | null
  readonly isBusy?: boolean
  readonly children?: ReactNode
}

function LinkPage({ title, answer, isBusy = false, children }: LinkPageProps) {
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
