import type { LiveHubs } from '../../worker/http/context.ts'

export interface HubCall {
  readonly hub: 'router' | 'network' | 'account'
  readonly id: number
  readonly method: string
  readonly args: readonly unknown[]
}

type Answers = Readonly<Record<string, (id: number, ...args: never[]) => unknown>>

/**
 * Hubs that do nothing but remember what was asked. `answers` says what a method returns, by `hub.method`
 * (`'router.requestReport': () => true`); everything else answers undefined.
 */
export function fakeHubs(answers: Answers = {}): { hubs: LiveHubs; calls: HubCall[] } {
  const calls: HubCall[] = []
  const port = (hub: HubCall['hub']) => (id: number) =>
    new Proxy(
      {},
      {
        get:
          (_, method) =>
          async (...args: unknown[]) => {
            calls.push({ hub, id, method: String(method), args })
            return (answers[`${hub}.${String(method)}`] as ((...all: unknown[]) => unknown) | undefined)?.(id, ...args)
          },
      },
    )
  const connect = async (hub: HubCall['hub'], id: number, identity: unknown) => {
    calls.push({ hub, id, method: 'connect', args: [identity] })
    return (answers[`${hub}.connect`] as ((...all: unknown[]) => unknown) | undefined)?.(id, identity)
  }
  const hubs = { router: port('router'), network: port('network'), account: port('account'), connect }
  return { hubs: hubs as LiveHubs, calls }
}
