import type { HubKind, HubName } from '../../worker/contract/hubs.ts'
import type { LiveHubs } from '../../worker/http/context.ts'

export interface HubCall {
  readonly kind: HubKind
  readonly hub: HubName
  readonly method: string
  readonly args: readonly unknown[]
}

type Answers = Readonly<Record<string, (hub: HubName, ...args: never[]) => unknown>>

/**
 * Fake hubs that record their calls. `answers` gives what a method returns, by `hub.method`
 * (`'router.requestReport': () => true`); everything else answers undefined.
 */
export function fakeHubs(answers: Answers = {}): { hubs: LiveHubs; calls: HubCall[] } {
  const calls: HubCall[] = []
  const port = (kind: HubKind) => (hub: HubName) =>
    new Proxy(
      {},
      {
        get:
          (_, method) =>
          async (...args: unknown[]) => {
            calls.push({ kind, hub, method: String(method), args })
            return (answers[`${kind}.${String(method)}`] as ((...all: unknown[]) => unknown) | undefined)?.(
              hub,
              ...args,
            )
          },
      },
    )
  const connect = async (kind: HubKind, hub: HubName, identity: unknown) => {
    calls.push({ kind, hub, method: 'connect', args: [identity] })
    return (answers[`${kind}.connect`] as ((...all: unknown[]) => unknown) | undefined)?.(hub, identity)
  }
  const hubs = { router: port('router'), network: port('network'), account: port('account'), connect }
  return { hubs: hubs as LiveHubs, calls }
}
