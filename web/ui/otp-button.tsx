import Button from '@douyinfe/semi-ui/lib/es/button'
import { CODE } from '../../worker/contract/limits.ts'
import './otp-button.css'
import { toErrorView } from './error-view.ts'
import { useCountdown } from './use-countdown.ts'

interface OtpButtonProps {
  /** Sends the code; the countdown is taken back when it throws or answers false. */
  readonly send: () => Promise<unknown>
  readonly seconds?: number
  readonly disabled?: boolean
  readonly text?: string
}

/** Locked from the press until it may be pressed again (account 4); a failure frees it at once. */
export function OtpButton({
  send,
  seconds = CODE.resendSeconds,
  disabled = false,
  text = '获取验证码',
}: OtpButtonProps) {
  const { left, start } = useCountdown()

  const press = async () => {
    start(seconds)
    try {
      if ((await send()) === false) start(0)
    } catch (error) {
      // The sender has said why. Only the server knows how long a refusal for haste still lasts.
      start(toErrorView(error).retryAfter ?? 0)
    }
  }
  return (
    <Button className="nl-otp-button" onClick={press} disabled={disabled || left > 0}>
      {left > 0 ? `${left}秒后重试` : text}
    </Button>
  )
}
