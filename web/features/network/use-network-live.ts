import { useEffect, useReducer } from 'react'
import { RESULT } from '../../../worker/contract/errors.ts'
import { STATUS_POLL_MS } from '../../../worker/contract/limits.ts'
import { networkApi } from '../../../worker/contract/network.ts'
import type { ApiError } from '../../lib/call.ts'
import { useLive } from '../../lib/live.ts'
import { useQuery } from '../../lib/use-endpoint.ts'
import { EMPTY, type NetworkInfo, type Projection, step } from './projection.ts'

/** How states come in: pushed, asked for every 10 s while the push is down, or not at all. */
export type Channel = 'live' | 'polling' | 'down'

export interface LiveNetwork {
  /** The network's rows; undefined until they are there. */
  readonly info: NetworkInfo | undefined
  readonly error: ApiError | undefined
  /** It was deleted while it was watched: what the server says of it. */
  readonly gone: string | null
  readonly projection: Projection
  readonly channel: Channel
  /** Reads the rows again; resolves when they are shown. */
  readonly reload: () => Promise<void>
}

export function useNetworkLive(networkNumber: string): LiveNetwork {
  const target = { network_number: networkNumber }
  const query = useQuery(networkApi.info, target, { quiet: false }) // 204: says so, back one page
  const { data, error, mutate } = query
  const [projection, dispatch] = useReducer(step, EMPTY)
  useEffect(() => {
    if (data !== undefined) dispatch({ type: 'info', info: data.data })
  }, [data])

  const live = useLive({ kind: 'network', ...target }, (frame) => {
    if (frame.type === 'snapshot') dispatch({ type: 'snapshot', view: frame.data })
    if (frame.type === 'delta') dispatch({ type: 'delta', seq: frame.seq, view: frame.data })
    if (frame.type === 'membership') dispatch({ type: 'membership' })
  })
  const poll = useQuery(networkApi.status, live === 'down' ? target : null, { pollMs: STATUS_POLL_MS })
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
    gone: poll.error?.code === RESULT.notFound ? poll.error.msg : null,
    projection,
    channel: live !== 'down' ? 'live' : isPolled ? 'polling' : 'down',
    reload: async () => {
      const reply = await mutate()
      if (reply) dispatch({ type: 'info', info: reply.data })
    },
  }
}
