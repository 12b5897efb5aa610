import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { unsubscribe } from './api.ts'
import { type LinkAnswer, LinkPage, isDone, mayRetry, toAnswer } from './link-result.tsx'

/** The link of an alert mail. Opening it does nothing, because mail scanners open links before people do. */
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
