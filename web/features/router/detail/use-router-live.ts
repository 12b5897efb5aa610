import { createContext, useEffect, useReducer, useState } from 'react'
import { STREAM } from '#contract/kernel/hub-limits.ts'
import type { ViewerFrame } from '#contract/kernel/protocol.ts'
import { type LiveState, useLive } from '#lib/live/use-live.ts'
import type { MemberStates } from '../member-states.ts'
import { newest } from './traffic/live-chart-data.ts'
import { EMPTY_WINDOW, nextWindow, type TrafficWindow } from './traffic/traffic-window.ts'

/* Live traffic and states of one router, from its live channel. */

export interface RouterLive {
  readonly window: TrafficWindow
  /** States of the member; null before the hub's first report. */
  readonly states: MemberStates | null
  readonly channel: LiveState
  /** The channel is open, but no sample has arrived for `STREAM.staleMs`. */
  readonly isStale: boolean
}

/** A context, so that the samples of each second render only the charts, not the components around them. */
export const RouterLiveContext = createContext<RouterLive | null>(null)

type LiveData = Pick<RouterLive, 'window' | 'states'>

const NO_DATA: LiveData = { window: EMPTY_WINDOW, states: null }

function step({ window, states }: LiveData, frame: ViewerFrame): LiveData {
  return { window: nextWindow(window, frame), states: frame.type === 'router' ? frame.data : states }
}

/** Remount for another router, or data of the earlier one would remain. */
export function useRouterLive(routerName: string, onMissed: () => void): RouterLive {
  const [data, dispatch] = useReducer(step, NO_DATA)
  const channel = useLive({ kind: 'router', router_name: routerName }, dispatch, onMissed)
  const isStale = useStale(channel === 'live', newest(data.window) ?? 0)
  return { ...data, channel, isStale }
}

/** True once `value` has not changed for `STREAM.staleMs` while `isOn`. */
function useStale(isOn: boolean, value: number): boolean {
  const [staleValue, setStaleValue] = useState<number | null>(null)
  useEffect(() => {
    if (!isOn) return
    const timer = setTimeout(() => setStaleValue(value), STREAM.staleMs)
    return () => clearTimeout(timer)
  }, [isOn, value])
  return isOn && staleValue === value
}
