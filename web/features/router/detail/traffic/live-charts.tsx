import { createContext, useContext, useEffect, useMemo } from 'react'
import { CHANNEL_DOWN } from '#lib/live/live.ts'
import { sortInterfaces, type RouterInfo } from '#pages/router/router-text.ts'
import type { RouterLive } from '../use-router-live.ts'
import { InterfaceCharts } from './interface-charts.tsx'

/** A context, because samples come each second: components between its provider and the charts are not drawn again. */
export const RouterLiveContext = createContext<RouterLive | null>(null)

interface LiveChartsProps {
  readonly info: RouterInfo
  readonly silence: string | null
  readonly onReload: () => void
}

/** The interfaces of a router with the traffic of the live channel. */
export function LiveCharts({ info, silence, onReload }: LiveChartsProps) {
  const live = useContext(RouterLiveContext)
  if (live === null) throw new Error('live charts stand outside of a RouterLiveContext')
  const interfaces = useMemo(() => sortInterfaces(info.interfaces), [info.interfaces])

  // Traffic of an unlisted interface: the device has changed, read it again.
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
