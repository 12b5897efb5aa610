import Button from '@douyinfe/semi-ui/lib/es/button'
import { OTP } from '../../worker/contract/limits.ts'
import './otp-button.css'
import { toErrorView } from './error-view.ts'
import { useCountdown } from './use-countdown.ts'

interface OtpButtonProps {
  /** Sends the code; a throw or `false` resets the countdown. */
  readonly send: () => Promise<unknown>
  readonly seconds?: number
  readonly disabled?: boolean
  readonly text?: string
}

/** Requests a one-time password; locked for the resend interval (account 4), unlocked at once by a failure. */
export function OtpButton({
  send,
  seconds = OTP.resendSeconds,
  disabled = false,
  text = '获取验证码',
}: OtpButtonProps) {
  const { left, start } = useCountdown()

  const press = async () => {
    start(seconds)
    try {
      if ((await send()) === false) start(0)
    } catch (error) {
      // `send` has shown the error; after a 429 the server's `retry_after` counts.
      start(toErrorView(error).retryAfter ?? 0)
    }
  }
  return (
    <Button className="nl-otp-button" onClick={press} disabled={disabled || left > 0}>
      {left > 0 ? `${left}秒后重试` : text}
    </Button>
  )
}
