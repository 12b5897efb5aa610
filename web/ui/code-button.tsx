import Button from '@douyinfe/semi-ui/lib/es/button'
import { OTP } from '../../worker/contract/limits.ts'
import './code-button.css'
import { causeOf } from './error-cause.ts'
import { useCountdown } from './use-countdown.ts'

interface CodeButtonProps {
  /** Sends the code; the countdown is taken back when it throws or answers false. */
  readonly send: () => Promise<unknown>
  readonly seconds?: number
  readonly disabled?: boolean
  readonly text?: string
}

/** Locked from the press until it may be pressed again (account 4); a failure frees it at once. */
export function CodeButton({
  send,
  seconds = OTP.resendSeconds,
  disabled = false,
  text = '获取验证码',
}: CodeButtonProps) {
  const { left, start } = useCountdown()

  const press = async () => {
    start(seconds)
    try {
      if ((await send()) === false) start(0)
    } catch (error) {
      // The sender has said why. Only the server knows how long a refusal for haste still lasts.
      start(causeOf(error).retryAfter ?? 0)
    }
  }
  return (
    <Button className="nl-code-button" onClick={press} disabled={disabled || left > 0}>
      {left > 0 ? `${left}秒后重试` : text}
    </Button>
  )
}
