import { accountHub } from './account-hub/client.ts'
import { networkHub } from './network-hub/client.ts'
import type { Hubs, NetworkHubPort, RouterHubPort } from './ports.ts'
import { routerHub } from './router-hub/client.ts'

/** The live half, as use cases and other hubs reach it. Names of hubs are made in its clients and nowhere else. */
export function hubsOf(env: Env): Hubs {
  return {
    router: (routerId) => routerHub(env, routerId),
    network: (networkId) => networkHub(env, networkId),
    account: (accountId) => accountHub(env, accountId),
  }
}

/** The hub behind a name that a hub gave as its own. */
export function hubNamed(env: Env, name: string): Pick<RouterHubPort | NetworkHubPort, 'endSessions'> {
  const [kind, id] = name.split(':')
  return kind === 'router' ? routerHub(env, Number(id)) : networkHub(env, Number(id))
}

/** The number in a hub's own name. */
export function numberOf({ name }: DurableObjectId): number {
  const number = Number(name?.split(':')[1])
  if (!Number.isInteger(number)) throw new Error(`hub without a number: ${name}`)
  return number
}
