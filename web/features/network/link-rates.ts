import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { LINK_RATES, STREAM } from '#contract/kernel/hub-limits.ts'
import type { RatePoint } from '#contract/kernel/protocol.ts'
import { trunkId } from '#domain/network/members/links.ts'
import { rateText } from '#lib/format/format-unit.ts'
import { createStore, type Store, useStore } from '#lib/store.ts'
import { useTrafficUnit } from '#ui/chart/traffic-unit.ts'
import type { Projection } from './live-network.ts'
import type { TopologySelection } from './topology/topology.tsx'

/* Throughput of links and trunks, by id, while the page shows it. */

type Rates = Readonly<Record<string, RatePoint>>
/** A store, so that the samples render only what shows them. */
export type LinkRates = Pick<Store<Rates>, 'get' | 'subscribe'>

/** The store, and the handler of frames. Rates without a later sample are forgotten. */
export function useLinkRates(): { readonly rates: LinkRates; readonly onRates: (data: Rates) => void } {
  const [store] = useState(() => createStore<Rates>({}))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const onRates = useCallback(
    (data: Rates) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => store.set({}), STREAM.staleMs)
      store.set({ ...store.get(), ...data })
    },
    [store],
  )
  return { rates: store, onRates }
}

const NONE: readonly string[] = []

/** Ids to watch: of the selected link, and in the drawing of the trunks of centres and POP nodes. */
export function watchedIds(
  { members, links }: Pick<Projection, 'members' | 'links'>,
  picked: TopologySelection | null,
  isDrawing: boolean,
): readonly string[] {
  const own = picked?.kind === 'links' && picked.ids.length === 1 ? picked.ids : NONE
  if (!isDrawing) return own
  const centers = members.flatMap(({ member_type, router_name }) => (member_type === 'center' ? [router_name] : []))
  const nodes = links.flatMap(({ kind, center_router_name }) => (kind === 'pop' ? [center_router_name] : []))
  const trunks = [...new Set([...centers, ...nodes])].slice(0, LINK_RATES.routersMax).map(trunkId)
  return [...own, ...trunks]
}

/** The same list while its ids stay, so that it is sent once. */
export function useWatchedIds(...input: Parameters<typeof watchedIds>): readonly string[] {
  const key = watchedIds(...input).join()
  return useMemo(() => (key === '' ? NONE : key.split(',')), [key])
}

/** Both directions of a rate as texts; none while it is unknown. */
export function useThroughput(rates: LinkRates): (id: string) => readonly string[] {
  const known = useStore(rates)
  const [unit] = useTrafficUnit()
  return useCallback(
    (id) => {
      const rate = known[id]
      return rate === undefined ? NONE : [`↓ ${rateText(rate.down, unit)}`, `↑ ${rateText(rate.upload, unit)}`]
    },
    [known, unit],
  )
}
