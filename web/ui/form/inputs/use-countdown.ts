import { useEffect, useState } from 'react'

interface Countdown {
  /** Whole seconds left; 0 when nothing runs. */
  readonly left: number
  readonly start: (seconds: number) => void
}

/** Computed from the clock, not from ticks: right again after a suspended tab resumes. */
export function useCountdown(): Countdown {
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
    start: (seconds) => {
      const startedAt = Date.now() // read once: two readings a millisecond apart could show one second too many
      setNow(startedAt)
      setEndsAt(startedAt + seconds * 1_000)
    },
  }
}
