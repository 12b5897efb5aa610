import { useEffect, useReducer, useState } from 'react'
import type { ViewerFrame } from '#contract/kernel/protocol.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { useLive } from '#lib/live/use-live.ts'
import { useRefreshDiagnoses } from '#ui/member/diagnosis/use-diagnosis.ts'
import { useNetworkInfo, useNetworkStatus } from '../api.ts'
import { useLinkRates } from '../link-rates.ts'
import { EMPTY, type NetworkInfo, step } from '../live-network.ts'

/* Live state of one network: read from the API, then updated by live frames, or by polls while those fail. */

const NONE: readonly string[] = []

export type LiveNetwork = ReturnType<typeof useNetworkLive>

export function useNetworkLive(networkNumber: string) {
  const { data, error, mutate } = useNetworkInfo(networkNumber)
  const refreshDiagnoses = useRefreshDiagnoses()
  const [projection, dispatch] = useReducer(step, EMPTY)
  const [shown, setShown] = useState<NetworkInfo>()
  const [visible, setVisible] = useState<readonly string[]>(NONE)
  const [watched, setWatched] = useState<readonly string[]>(NONE)
  const { rates, onRates } = useLinkRates()
  // The state is set while rendering, not after: a page of two thousand members would be rendered once without them.
  if (data !== undefined && data.data !== shown) {
    setShown(data.data)
    dispatch({ type: 'info', info: data.data })
  }

  const onFrame = (frame: ViewerFrame) => {
    if (frame.type === 'snapshot') dispatch({ type: 'snapshot', view: frame.data })
    if (frame.type === 'delta') dispatch({ type: 'delta', seq: frame.seq, view: frame.data })
    if (frame.type === 'membership') dispatch({ type: 'membership' })
    if (frame.type === 'link_rates') onRates(frame.data)
    if (frame.type === 'diagnosis') refreshDiagnoses()
  }
  const live = useLive({ kind: 'network', network_number: networkNumber }, onFrame, undefined, visible, watched)
  const poll = useNetworkStatus(live === 'down' ? networkNumber : null)
  useEffect(() => {
    if (poll.data !== undefined) dispatch({ type: 'poll', status: poll.data.data })
  }, [poll.data])

  const { isBehind } = projection
  useEffect(() => {
    if (!isBehind) return
    // An answer equal to the cached one changes no state, so the effect above would not run.
    void mutate().then((reply) => reply && dispatch({ type: 'info', info: reply.data }))
  }, [isBehind, mutate])

  const isPolled = poll.data !== undefined && poll.error === undefined
  const channel: 'live' | 'polling' | 'down' = live !== 'down' ? 'live' : isPolled ? 'polling' : 'down'
  return {
    info: data?.data,
    error,
    /** The server's message when the network does not exist, or has been deleted meanwhile. */
    gone: [error, poll.error].find((refused) => refused?.code === RESULT.notFound)?.msg ?? null,
    projection,
    channel,
    /** Names the members on the page that is shown, of which the hub asks first. */
    show: setVisible,
    /** Throughput of the watched links and trunks. */
    rates,
    /** Names the links and trunks whose throughput is shown. */
    watch: setWatched,
    /** Polls the states at once. */
    retry: () => void poll.mutate(),
    /** Reads the network again; resolves when it is shown. */
    reload: async () => {
      const reply = await mutate()
      if (reply) dispatch({ type: 'info', info: reply.data })
    },
  }
}
