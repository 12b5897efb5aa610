import { useMemo, useState } from 'react'
import { usePresenceRefresh } from '#lib/live/use-presence-refresh.ts'
import { type RouterQuery, useRefreshRouters, useRouterPaths, useRouters } from '../api.ts'
import { isInState } from './member-filter.ts'
import { addStates, NOTHING_PUSHED, withStates } from '../member-states.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

const COUNTS_MS = 2_000

/** Rows of one kind: as they were read, with the states that were pushed since. */
export function useRouterRows(view: RouterQuery) {
  const [pushed, setPushed] = useState(NOTHING_PUSHED)
  const refresh = useRefreshRouters()
  const channel = usePresenceRefresh({
    everyMs: COUNTS_MS,
    read: refresh.counts,
    onStates: (states) => setPushed((now) => addStates(now, states)),
    onMissed: () => {
      setPushed(NOTHING_PUSHED)
      refresh.lists()
    },
  })
  const isStale = channel === 'down'
  const { data, error, isValidating } = useRouters(view, isStale)
  const rows = useMemo(
    () => data && { ...data, data: isStale ? data.data : withStates(data.data, pushed) },
    [data, pushed, isStale],
  )
  const hardware = rows?.data.filter(({ router_type }) => router_type === ROUTER_TYPE.hardware) ?? []
  const paths = useRouterPaths(
    hardware.map(({ router_name }) => router_name),
    isStale,
  )
  // Rows of the earlier filter remain while a page loads, so none of them counts as outdated.
  const outdated = isValidating ? [] : (rows?.data.filter((row) => !isInState(row, view.state)) ?? [])
  // A retry reads rows and counts, which usually failed together.
  return {
    isStale,
    paths,
    outdated: outdated.length,
    query: { data: rows, error, isValidating, mutate: refresh.lists },
  }
}
