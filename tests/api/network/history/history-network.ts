import { eq } from 'drizzle-orm'
import { networkApi } from '#contract/network/index.ts'
import { accounts } from '#db/schema/accounts.ts'
import { createFleet } from '#tests/support/fixtures.ts'
import { db } from '#tests/support/test-worker.ts'

/** Two centres and a point, of an account with every feature; a fourth router is in no network. */
export async function createHistoryNetwork() {
  const { main, routers } = await createFleet({ hardware: 5, centers: 2 })
  const { quagga, defaultRoute } = { quagga: 1, defaultRoute: 1 } as const
  await db.update(accounts).set({ quagga, defaultRoute }).where(eq(accounts.id, main.accountId))
  const [a, b, c] = routers
  const created = await main.call(networkApi.create, {
    network_name: '测试网',
    center: [a!.name, b!.name],
    point: [c!.name],
  })
  const network_number = created.data.network_number
  return { main, network_number, a: a!, b: b!, c: c!, spare: routers[3]!, target: { network_number } }
}

export const versionsOf = async ({
  main,
  target,
}: Pick<Awaited<ReturnType<typeof createHistoryNetwork>>, 'main' | 'target'>) => {
  const reply = await main.call(networkApi.versions, target)
  return reply.data
}
