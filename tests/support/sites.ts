import { createMainAccount, createNetwork, createRouter } from './fixtures.ts'

/** A network of three sites with LANs that do not overlap; the first is its centre. */
export async function createSites() {
  const main = await createMainAccount({ services: { network_member: 20 } })
  const { accountId } = main
  const center = await createRouter(accountId, { note: '总部', lans: ['10.1.0.1/24'] })
  const plant = await createRouter(accountId, { note: '工厂', lans: ['10.2.0.1/24'] })
  const shop = await createRouter(accountId, { note: '门店', lans: ['10.3.0.1/24'] })
  const number = await createNetwork(main, [center, plant, shop])
  return { main, center, plant, shop, number }
}
