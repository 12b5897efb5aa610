import { useEffect, useRef } from 'react'
import { ROUTER_TYPE, STATUS_POLL_MS } from '../../../worker/contract/limits.ts'
import { networkApi } from '../../../worker/contract/network.ts'
import { routerApi } from '../../../worker/contract/router.ts'
import { useAccountLive } from '../../lib/account-live.tsx'
import { useQuery, useRefresh } from '../../lib/use-endpoint.ts'

const SETTLE_MS = 1_000 // a site that drops takes many members with it: one reading for all

/** Counts and troubled members, read again when the account's socket reports a change; polled while it is down. */
export function useMemberState() {
  const refresh = useRefresh()
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const readAgain = () => {
    timer.current ??= setTimeout(() => {
      timer.current = null
      refresh([routerApi.quantity, routerApi.lists, networkApi.lists])
    }, SETTLE_MS)
  }
  const channel = useAccountLive((frame) => {
    if (frame.type === 'routers' && frame.data.length > 0) readAgain()
  }, readAgain)
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current)
      timer.current = null
    },
    [],
  )

  const options = { pollMs: channel === 'down' ? STATUS_POLL_MS : 0 }
  return {
    channel,
    quantity: useQuery(routerApi.quantity, {}, options),
    attention: useQuery(routerApi.lists, { page: 1, type: ROUTER_TYPE.hardware, state: 'attention' }, options),
  }
}
