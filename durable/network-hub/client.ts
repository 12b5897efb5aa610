import type { NetworkHubPort } from '../ports.ts'
import { callHub } from '../retry.ts'

export const networkHubName = (networkId: number): string => `network:${networkId}`

export function networkHub(env: Pick<Env, 'NETWORK_HUB'>, networkId: number): NetworkHubPort {
  const stub = () => env.NETWORK_HUB.getByName(networkHubName(networkId))
  return {
    connect: (request) => callHub(stub, (hub) => hub.fetch(request.clone())),
    refresh: () => callHub(stub, (hub) => hub.refresh()),
    status: () => callHub(stub, (hub) => hub.status()),
    memberChanged: (change) => callHub(stub, (hub) => hub.memberChanged(change)),
    linksReported: (report) => callHub(stub, (hub) => hub.linksReported(report)),
    remove: () => callHub(stub, (hub) => hub.remove()),
    endSessions: (sessionIds) => callHub(stub, (hub) => hub.endSessions(sessionIds)),
  }
}
