import { once } from 'node:events'
import { expect, inject, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { routerApi } from '#contract/router/index.ts'
import { callEndpoint } from '#infra/local/api.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { useOps } from './ops.ts'

const origin = inject('origin')
const ops = useOps(origin)

/** Far below the 30 s after which a client ends a connection that the server holds. */
const AT_ONCE_MS = 2_000

type Target = Input<typeof routerApi.trafficTicket>
const PATH = { router: 'router/traffic', network: 'network/live', account: 'account/live' } as const

const openSocket = (path: string, query: string) =>
  new WebSocket(`${origin.replace('http', 'ws')}/api/v1/${path}?${query}`, { headers: { origin } })

/** Milliseconds until the TCP connection of a refused socket is closed; `close` comes after that. */
async function msToClose(path: string, query: string): Promise<number> {
  const socket = openSocket(path, query)
  const startedAt = performance.now()
  const closed = once(socket, 'close')
  await once(socket, 'open')
  const tcp = (socket as unknown as { readonly _socket: { readonly destroyed: boolean } })._socket
  await closed
  expect(tcp.destroyed).toBe(true)
  return performance.now() - startedAt
}

it('hubs.md, Live sockets · the connection of a refused socket is closed at once', async () => {
  const token = await ops.signIn('demo01')
  const call = <E extends Endpoint>(spec: E, input: Input<E>) => callEndpoint(origin, '/api/v1', spec, input, token)
  const [router] = await call(routerApi.lists, {})
  const { router_name } = router!
  const ticketFor = async (target: Target) => (await call(routerApi.trafficTicket, target)).ticket

  async function used(target: Target): Promise<string> {
    const query = `ticket=${await ticketFor(target)}`
    const first = openSocket(PATH[target.kind], query)
    await once(first, 'message')
    first.close()
    return query
  }
  const cases = [
    ['a ticket that was used, on a router', PATH.router, () => used({ kind: 'router', router_name })],
    ['a ticket that was used, on an account', PATH.account, () => used({ kind: 'account' })],
    [
      'a ticket of another kind',
      PATH.account,
      async () => `ticket=${await ticketFor({ kind: 'router', router_name })}`,
    ],
    ['a wrong ticket', PATH.network, async () => 'ticket=wrong'],
    ['a wrong token', PATH.router, async () => `token=wrong&router_name=${router_name}`],
    ['no ticket', PATH.router, async () => ''],
  ] as const
  const offenders = await findOffenders(cases)(async (_, path, query) => {
    expect(await msToClose(path, await query())).toBeLessThan(AT_ONCE_MS)
  })
  expect(offenders).toEqual([])
})
