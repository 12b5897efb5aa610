import { networkFrAreas, networkFrs, popMembers, popNodes, pops } from '#db/schema/pop.ts'
import { unique } from '#tests/support/fixtures.ts'
import { db } from '#tests/support/test-worker.ts'
import { memberSettings } from '#db/schema/networks.ts'
import { type TestNetwork, type TestRouter, createAccount, createHubNetwork, createHubRouter } from './support.ts'

/** An area of the operator with one node. */
export async function createNode(): Promise<{ popId: number; area: string; node: TestRouter }> {
  const node = await createHubRouter(await createAccount())
  const area = unique('POP')
  const [pop] = await db.insert(pops).values({ name: area, createdAt: 1 }).returning({ id: pops.id })
  await db.insert(popNodes).values({ popId: pop!.id, routerId: node.routerId, createdAt: 1 })
  return { popId: pop!.id, area, node }
}

/** A network that the node carries for its first point. */
export async function createCarried(pop: Awaited<ReturnType<typeof createNode>>, portIndex: number) {
  const network = await createHubNetwork(2)
  return { ...network, ...(await carry(network, pop, portIndex)) }
}

export async function carry(
  { accountId, id: networkId, points }: Pick<TestNetwork, 'accountId' | 'id' | 'points'>,
  { popId, node }: Pick<Awaited<ReturnType<typeof createNode>>, 'popId' | 'node'>,
  portIndex: number,
) {
  const [fr] = await db
    .insert(networkFrs)
    .values({ accountId, name: 'POP', createdAt: 1, expireAt: 2 })
    .returning({ id: networkFrs.id })
  const [area] = await db
    .insert(networkFrAreas)
    .values({ accountId, frId: fr!.id, popId, bandwidth: 50 })
    .returning({ id: networkFrAreas.id })
  await db
    .insert(popMembers)
    .values({ accountId, networkId, areaId: area!.id, routerId: node.routerId, segmentIndex: 500, portIndex })
  await db.insert(memberSettings).values({
    accountId,
    networkId,
    routerId: points[0]!.routerId,
    setting: 'ov',
    value: JSON.stringify({ main: area!.id, backup: null, priority: 3 }),
    revision: 1,
    updatedAt: 1,
  })
  return { frId: fr!.id }
}
