import { useCallback, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useLatest } from '#lib/use-latest.ts'
import type { Member } from '../projection.ts'
import { type Baseline, type RolloutStart, toBaseline, toResent } from './rollout.ts'

interface RolloutWatch {
  /** Baseline of the last change; null when no roll-out is shown. */
  readonly start: RolloutStart | null
  /** Changes so far: another one starts another notice. */
  readonly changes: number
  /** Call before a change is sent, and call its result once it is saved: live frames may arrive before the reply. */
  readonly prepare: PrepareRollout
  readonly close: () => void
}

/** `resent`: no version moves. */
export type PrepareRollout = (kind: RolloutStart['kind']) => () => void

/** Roll-out of the last change; after a navigation the baseline comes with the location's state. */
export function useRollout(members: readonly Member[]): RolloutWatch {
  const location = useLocation()
  const navigate = useNavigate()
  const latest = useLatest(members)
  const handed = (location.state as { baseline?: Baseline } | null)?.baseline
  const [start, setStart] = useState<RolloutStart | null>(
    handed === undefined ? null : { kind: 'saved', versions: handed },
  )
  const [changes, setChanges] = useState(0)
  // Navigation state survives a reload: clear it, or the reload would show the roll-out again.
  useEffect(() => {
    if (handed !== undefined) void navigate(location.pathname + location.search, { replace: true, state: null })
  }, [handed, navigate, location.pathname, location.search])
  return {
    start,
    changes,
    prepare: (kind) => {
      const before: RolloutStart =
        kind === 'resent' ? toResent(latest.current) : { kind, versions: toBaseline(latest.current) }
      return () => {
        setStart(before)
        setChanges((count) => count + 1)
      }
    },
    close: useCallback(() => setStart(null), []),
  }
}
