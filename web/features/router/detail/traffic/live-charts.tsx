import { createContext, useContext, useEffect, useMemo } from 'react'
import { CHANNEL_DOWN } from '#lib/live/use-live.ts'
import { sortInterfaces, type RouterInfo } from '#pages/router/router-text.ts'
import type { RouterLive } from '../use-router-live.ts'
import { InterfaceCharts } from './interface-charts.tsx'

/* Charts of the interfaces of a router with the traffic of the live channel, and the context that carries it. */

/** A context, so that the samples of each second render only the charts, not the components around them. */
export const RouterLiveContext = createContext<RouterLive | null>(null)

interface LiveChartsProps {
  readonly info: RouterInfo
  readonly silence: string | null
  readonly onReload: () => void
}

export function LiveCharts({ info, silence, onReload }: LiveChartsProps) {
  const live = useContext(RouterLiveContext)
  if (live === null) throw new Error('live charts stand outside of a RouterLiveContext')
  const interfaces = useMemo(() => sortInterfaces(info.interfaces), [info.interfaces])

  // Traffic of an unlisted interface means that the device has changed: read it again.
  const known = new Set(interfaces.map((entry) => entry.interface))
  const unknown = Object.keys(live.window)
    .filter((name) => !known.has(name))
    .join()
  useEffect(() => {
    if (unknown !== '') onReload()
  }, [unknown, onReload])

  return (
    <InterfaceCharts
      routerName={info.router_name}
      interfaces={interfaces}
      live={live}
      silence={silence}
      unknown={live.channel === 'down' ? CHANNEL_DOWN : silence}
    />
  )
}
