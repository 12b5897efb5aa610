import Button from '@douyinfe/semi-ui/lib/es/button'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { validateEmail } from './api.ts'
import { LinkPage, NO_ANSWER, isDone, mayRetry, toAnswer } from './link-result.tsx'
import { CONTACT } from '#contract/contacts/limits.ts'

/** The link of a verification mail (account 2): posts its `s` and shows what the server says. */
export function ValidateEmailPage() {
  const s = useSearchParams()[0].get('s') ?? ''
  const [tries, setTries] = useState(1)
  const [answer, setAnswer] = useState(NO_ANSWER)
  const [answered, setAnswered] = useState(0) // the try that was answered last
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
