import { useEffect, useState } from 'react'
import { STREAM } from '#contract/kernel/hub-limits.ts'

const LATE_MS = 1.5 * STREAM.rateMs // the next sample moves the time on, unless it is later than this

/** The hub's time: that of the newest sample, moving on by itself while the next one is late. */
export function useLiveNow(newestMs: number | null): number | null {
  const [late, setLate] = useState({ newestMs, byMs: 0 })
  useEffect(() => {
    if (newestMs === null) return
    let byMs = LATE_MS
    let timer = setTimeout(function move() {
      setLate({ newestMs, byMs })
      byMs += STREAM.rateMs
      timer = setTimeout(move, STREAM.rateMs)
    }, LATE_MS)
    return () => clearTimeout(timer)
  }, [newestMs])
  if (newestMs === null) return null
  return late.newestMs === newestMs ? newestMs + late.byMs : newestMs
}
