import { useCallback, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useLatest } from '../../lib/use-latest.ts'
import type { Member } from './projection.ts'
import { type Baseline, baselineOf } from './rollout.ts'

interface RolloutWatch {
  /** Versions before the last saved change; null when there is nothing to watch. */
  readonly baseline: Baseline | null
  /** Call before a change is sent, and what it gives once it is saved: news may be faster than the answer. */
  readonly prepare: () => () => void
  readonly close: () => void
}

export function useRollout(members: readonly Member[]): RolloutWatch {
  const location = useLocation()
  const navigate = useNavigate()
  const latest = useLatest(members)
  const handed = (location.state as { baseline?: Baseline } | null)?.baseline
  const [baseline, setBaseline] = useState<Baseline | null>(handed ?? null)
  // The page that saved hands its versions over once; a reload of this page is not another save.
  useEffect(() => {
    if (handed !== undefined) void navigate(location.pathname + location.search, { replace: true, state: null })
  }, [handed, navigate, location.pathname, location.search])
  return {
    baseline,
    prepare: () => {
      const before = baselineOf(latest.current)
      return () => setBaseline(before)
    },
    close: useCallback(() => setBaseline(null), []),
  }
}
