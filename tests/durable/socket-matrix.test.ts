import { env } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { createHubs } from '#durable/hubs.ts'
import type { Input } from '#contract/kernel/endpoint.ts'
import { createSubAccount } from '#tests/support/fixtures.ts'
import { RIGHTS, networksOf } from '#tests/support/rights.ts'
import { insertMessage, insertNetwork } from '#tests/support/rows.ts'
import { createTestWorker } from '#tests/support/test-worker.ts'
import {
  TestSocket,
  type TestRouter,
  type ViewerSocket,
  createHubNetwork,
  createHubRouter,
  isShown,
  join,
} from './support.ts'
import { routerApi } from '#contract/router/index.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const worker = createTestWorker({ hubs: createHubs(env) })

type Target = Input<typeof routerApi.trafficTicket>
/** First frame of each socket, and the refusal of a ticket for one that the caller may not see. */
const SOCKETS = {
  account: { path: 'account/live', shown: 'account' },
  network: { path: 'network/live', shown: 'snapshot', unknown: 'NETWORK_NOT_FOUND' },
  router: { path: 'router/traffic', shown: 'history', unknown: 'ROUTER_NOT_FOUND' },
} as const

async function open(ticket: string, path: string): Promise<ViewerSocket> {
  const response = await worker.request(`/api/v1/${path}?ticket=${ticket}`, { headers: { upgrade: 'websocket' } })
  return new TestSocket(response.webSocket!)
}

interface Place {
  readonly number: string
  readonly router: TestRouter
}

let network: Awaited<ReturnType<typeof createHubNetwork>>
let listed: Place
let other: Place

beforeAll(async () => {
  network = await createHubNetwork(0)
  const { accountId, number, center } = network
  const router = await createHubRouter(network)
  const second = await insertNetwork({ accountId })
  await join({ id: second.id, accountId }, router, 'center')
  listed = { number, router: center }
  other = { number: second.number, router }
  for (const place of [listed, other]) await insertMessage({ accountId, networkNumber: place.number })
})

describe('directory 6 · every flag and limit × every socket', () => {
  it('each role sees its own networks, whatever its rights', async () => {
    const offenders = await findOffenders(RIGHTS)(async (_, scope, flags) => {
      const { token } = await createSubAccount(network.main, { flags, networks: networksOf(scope, listed.number) })
      const seen: readonly Place[] = { all: [listed, other], listed: [listed], none: [] }[scope]

      /** First message of the socket that the ticket opens, or the refusal of the ticket. */
      async function outcome(target: Target): Promise<string | undefined> {
        const { path, shown } = SOCKETS[target.kind]
        const { data, reason } = await worker.call(routerApi.trafficTicket, target, token)
        if (data === null) return reason
        await (await open(data.ticket, path)).next(isShown(shown))
        return shown
      }
      const expected = (kind: 'network' | 'router', place: Place) =>
        SOCKETS[kind][seen.includes(place) ? 'shown' : 'unknown']

      for (const place of [listed, other]) {
        const ofNetwork = await outcome({ kind: 'network', network_number: place.number })
        const ofRouter = await outcome({ kind: 'router', router_name: place.router.name })
        expect([ofNetwork, ofRouter]).toEqual([expected('network', place), expected('router', place)])
      }
      const { data } = await worker.call(routerApi.trafficTicket, { kind: 'account' }, token)
      const badge = await open(data.ticket, SOCKETS.account.path)
      expect((await badge.next(isShown(SOCKETS.account.shown))).data.unread).toBe(seen.length)
    })
    expect(offenders).toEqual([])
  })
})
