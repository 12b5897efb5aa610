import { HEALTH } from '#contract/kernel/hub-limits.ts'
import { useAccountLive } from '#lib/live/account-live.tsx'
import { useQuery } from '#lib/call/use-endpoint.ts'
import { routerApi } from '#contract/router/index.ts'

/**
 * States of one member over time, or around one; null waits. Read again when the account's hub pushes a change of it, which
 * it does once the transition is stored, and every few minutes, because the bar moves on.
 */
export function useRouterEvents(routerName: string | null, at: number | null = null) {
  const input = routerName === null ? null : { router_name: routerName, ...(at !== null && { at }) }
  const query = useQuery(routerApi.events, input, { pollMs: HEALTH.curveBucketMs })
  const read = () => void query.mutate()
  useAccountLive((frame) => {
    if (frame.type === 'routers' && frame.data.some(({ router_name }) => router_name === routerName)) read()
  }, read)
  return query
}
