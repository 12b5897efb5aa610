import type { RouterHubPort } from '../ports.ts'
import { callHub } from '../retry.ts'

export const routerHubName = (routerId: number): string => `router:${routerId}`

export function routerHub(env: Pick<Env, 'ROUTER_HUB'>, routerId: number): RouterHubPort {
  const stub = () => env.ROUTER_HUB.getByName(routerHubName(routerId))
  return {
    connect: (request) => callHub(stub, (hub) => hub.fetch(request.clone())),
    refresh: () => callHub(stub, (hub) => hub.refresh()),
    resend: () => callHub(stub, (hub) => hub.resend()),
    requestReport: () => callHub(stub, (hub) => hub.requestReport()),
    checkLease: (isSuspect) => callHub(stub, (hub) => hub.checkLease(isSuspect)),
    traffic: () => callHub(stub, (hub) => hub.traffic()),
    remove: () => callHub(stub, (hub) => hub.remove()),
    endSessions: (sessionIds) => callHub(stub, (hub) => hub.endSessions(sessionIds)),
  }
}
