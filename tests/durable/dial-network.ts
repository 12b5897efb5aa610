import type { DialReport } from '#contract/kernel/protocol.ts'
import { createSoftwareRouter, unique } from '#tests/support/fixtures.ts'
import { insertMember } from '#tests/support/rows.ts'
import {
  connectOnlineDevice,
  createHubNetwork,
  createHubRouter,
  join,
  networkStub,
  readNow,
  routerStub,
} from './support.ts'

/** A network of two connected centres with one software member. */
export async function createDialNetwork() {
  const network = await createHubNetwork(0)
  const { accountId, id: networkId } = network
  const second = await createHubRouter(network)
  await join(network, second, 'center')
  const client = await createSoftwareRouter(accountId)
  await insertMember({ accountId, networkId, routerId: client.id, memberType: 'point' })
  for (const center of [network.center, second]) await readNow(routerStub(center))
  const devices = [await connectOnlineDevice(network.center), await connectOnlineDevice(second)] as const
  await readNow(networkStub(network))
  return { ...network, second, client, devices }
}
export type DialNetwork = Awaited<ReturnType<typeof createDialNetwork>>

export const dial = ({ number, client }: DialNetwork, over: Partial<DialReport> = {}): DialReport => ({
  key: unique('d'),
  network_number: number,
  name: client.name,
  remote: '203.0.113.9',
  began_ms: 0,
  ended_ms: null,
  rx: 0,
  tx: 0,
  ...over,
})
