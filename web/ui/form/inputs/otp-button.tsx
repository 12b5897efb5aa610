import Button from '@douyinfe/semi-ui/lib/es/button'
import { useEffect, useState } from 'react'
import '../field.css'
import { toErrorView } from '#ui/state/error-view.ts'
import { useLatest } from '#lib/use-latest.ts'
import { WAIT_MINUTES_FROM_S, waitText } from '#contract/kernel/time.ts'
import { OTP } from '#contract/verify/limits.ts'

/* Button that requests a one-time password; locked for the resend interval (account 4), unlocked at once by a failure. */

interface OtpButtonProps {
  /** Sends the code; a throw or `false` resets the countdown. */
  readonly send: () => Promise<unknown>
  readonly seconds?: number
  readonly disabled?: boolean
  readonly text?: string
  /** Name for screen readers if a page has several of these buttons. */
  readonly label?: string
  /** Seconds left by the server at page load; a new number restarts the countdown. */
  readonly running?: number
}

/** Whole seconds left, by the clock and not by ticks, so that they are right after a suspended tab resumes. */
function useCountdown() {
  const [endsAt, setEndsAt] = useState(0)
  const [now, setNow] = useState(0)
  const left = Math.max(0, Math.ceil((endsAt - now) / 1_000))
  const running = left > 0
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [running])

  return {
    left,
    start: (seconds: number) => {
      const startedAt = Date.now() // read once: two readings a millisecond apart could show one second too many
      setNow(startedAt)
      setEndsAt(startedAt + seconds * 1_000)
    },
  }
}

/** In seconds (account 4); a refusal may ask for minutes. */
const retryText = (left: number): string => (left < WAIT_MINUTES_FROM_S ? `${left}秒后重试` : `${waitText(left)}后重试`)

export function OtpButton({
  send,
  seconds = OTP.resendSeconds,
  disabled = false,
  text = '获取验证码',
  label,
  running,
}: OtpButtonProps) {
  const { left, start } = useCountdown()
  const latest = useLatest(start)
  useEffect(() => {
    if (running !== undefined) latest.current(running)
  }, [running, latest])

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
    <Button
      className="nl-otp-button"
      onClick={press}
      disabled={disabled || left > 0}
      {...(label !== undefined && { 'aria-label': left > 0 ? `${label}，${retryText(left)}` : label })}
    >
      {left > 0 ? retryText(left) : text}
    </Button>
  )
}
