import { useReducer } from 'react'
import type { ViewerFrame } from '../../../worker/contract/protocol.ts'
import { type LiveState, useLive } from '../../lib/live.ts'
import type { MemberStates } from './member-states.ts'
import { EMPTY_WINDOW, nextWindow, type TrafficWindow } from './traffic-window.ts'

export interface RouterLive {
  readonly window: TrafficWindow
  /** Null until the hub has told them. */
  readonly states: MemberStates | null
  readonly channel: LiveState
}

type Told = Omit<RouterLive, 'channel'>

const UNTOLD: Told = { window: EMPTY_WINDOW, states: null }

function step({ window, states }: Told, frame: ViewerFrame): Told {
  return { window: nextWindow(window, frame), states: frame.type === 'router' ? frame.data : states }
}

/** One router's traffic and states. For another router use another component: nothing of the first may stay. */
export function useRouterLive(routerName: string, onMissed: () => void): RouterLive {
  const [told, tell] = useReducer(step, UNTOLD)
  const channel = useLive({ kind: 'router', router_name: routerName }, tell, onMissed)
  return { ...told, channel }
}
