import { useCallback, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useLatest } from '../../lib/use-latest.ts'
import type { Member } from './projection.ts'
import { type Baseline, toBaseline } from './rollout.ts'

interface RolloutWatch {
  /** Versions before the last saved change; null when no roll-out is shown. */
  readonly baseline: Baseline | null
  /** Call before a change is sent, and call its result once it is saved: live frames may arrive before the reply. */
  readonly prepare: () => () => void
  readonly close: () => void
}

/** Roll-out of the last saved change; after a navigation the baseline comes with the location's state. */
export function useRollout(members: readonly Member[]): RolloutWatch {
  const location = useLocation()
  const navigate = useNavigate()
  const latest = useLatest(members)
  const handed = (location.state as { baseline?: Baseline } | null)?.baseline
  const [baseline, setBaseline] = useState<Baseline | null>(handed ?? null)
  // Navigation state survives a reload: clear it, or the reload would show the roll-out again.
  useEffect(() => {
    if (handed !== undefined) void navigate(location.pathname + location.search, { replace: true, state: null })
  }, [handed, navigate, location.pathname, location.search])
  return {
    baseline,
    prepare: () => {
      const before = toBaseline(latest.current)
      return () => setBaseline(before)
    },
    close: useCallback(() => setBaseline(null), []),
  }
}
