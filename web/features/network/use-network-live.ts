import { useEffect, useReducer } from 'react'
import { CODE } from '../../../worker/contract/errors.ts'
import type { ApiError } from '../../lib/call.ts'
import { useLive } from '../../lib/live.ts'
import { useNetworkInfo, useNetworkStatus } from './api.ts'
import { EMPTY, type NetworkInfo, type Projection, step } from './projection.ts'

/** How states come in: pushed, asked for every 10 s while the push is down, or not at all. */
export type Channel = 'live' | 'polling' | 'down'

export interface LiveNetwork {
  /** The network's rows; undefined until they are there. */
  readonly info: NetworkInfo | undefined
  readonly error: ApiError | undefined
  /** It does not exist, or was deleted while it was watched: what the server says of it. */
  readonly gone: string | null
  readonly projection: Projection
  readonly channel: Channel
  /** Reads the rows again; resolves when they are shown. */
  readonly reload: () => Promise<void>
}

export function useNetworkLive(networkNumber: string): LiveNetwork {
  const { data, error, mutate } = useNetworkInfo(networkNumber)
  const [projection, dispatch] = useReducer(step, EMPTY)
  useEffect(() => {
    if (data !== undefined) dispatch({ type: 'info', info: data.data })
  }, [data])

  const live = useLive({ kind: 'network', network_number: networkNumber }, (frame) => {
    if (frame.type === 'snapshot') dispatch({ type: 'snapshot', view: frame.data })
    if (frame.type === 'delta') dispatch({ type: 'delta', seq: frame.seq, view: frame.data })
    if (frame.type === 'membership') dispatch({ type: 'membership' })
  })
  const poll = useNetworkStatus(live === 'down' ? networkNumber : null)
  useEffect(() => {
    if (poll.data !== undefined) dispatch({ type: 'poll', status: poll.data.data })
  }, [poll.data])

  const { isBehind } = projection
  useEffect(() => {
    if (!isBehind) return
    // The answer may equal what is cached, and then no other effect would hear of it.
    void mutate().then((reply) => reply && dispatch({ type: 'info', info: reply.data }))
  }, [isBehind, mutate])

  const isPolled = poll.data !== undefined && poll.error === undefined
  return {
    info: data?.data,
    error,
    gone: [error, poll.error].find((refused) => refused?.code === CODE.notFound)?.msg ?? null,
    projection,
    channel: live !== 'down' ? 'live' : isPolled ? 'polling' : 'down',
    reload: async () => {
      const reply = await mutate()
      if (reply) dispatch({ type: 'info', info: reply.data })
    },
  }
}
