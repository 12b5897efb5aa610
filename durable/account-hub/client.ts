import type { AccountHubPort } from '../ports.ts'
import { callHub } from '../retry.ts'

export const accountHubName = (accountId: number): string => `account:${accountId}`

export function accountHub(env: Pick<Env, 'ACCOUNT_HUB'>, accountId: number): AccountHubPort {
  const stub = () => env.ACCOUNT_HUB.getByName(accountHubName(accountId))
  return {
    connect: (request) => callHub(stub, (hub) => hub.fetch(request.clone())),
    routerChanged: (change) => callHub(stub, (hub) => hub.routerChanged(change)),
    noticesChanged: () => callHub(stub, (hub) => hub.noticesChanged()),
    endSessions: (sessionIds) => callHub(stub, (hub) => hub.endSessions(sessionIds)),
    watching: (entry) => callHub(stub, (hub) => hub.watching(entry)),
  }
}
