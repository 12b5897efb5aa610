import { runInDurableObject } from 'cloudflare:test'
import { beforeEach, expect, it } from 'vitest'
import { ALERT } from '../../worker/contract/alert.ts'
import { MINUTE, useMonitoredNetwork } from './monitored-network.ts'
import { later } from './support.ts'

const DAY = 86_400_000
const { network, stub, listAlerts, listDeliveries, report, sweepNothing, passAlarms } = useMonitoredNetwork(2)
beforeEach(() => sweepNothing())

const countRows = () =>
  runInDurableObject(stub(), (_, { storage }) =>
    ['alerts', 'alert_children', 'deliveries'].map(
      (table) => storage.sql.exec<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`).one().n,
    ),
  )

it('design 12 · records and deliveries are kept 90 days, by alarm; what is still open remains', async () => {
  const [first, second] = network.points
  const all = [network.center, first!]
  for (const router of all) await report(router, 'online', 'offline')
  await passAlarms(4 * MINUTE)
  for (const router of all) await report(router, 'offline', 'online')
  await passAlarms(MINUTE)
  await report(second!, 'online', 'offline')
  await passAlarms(4 * MINUTE)
  const before = await countRows()
  expect(before[0]).toBe(2)
  expect(before[1]).toBe(1)

  later((ALERT.keptDays - 1) * DAY)
  await passAlarms(MINUTE)
  expect((await listAlerts()).count).toBe(2)
  await passAlarms(2 * DAY)
  expect((await listAlerts()).rows).toMatchObject([{ router_name: second!.name, end_time: null }])
  expect((await countRows())[1]).toBe(0)
  const kept = (await listDeliveries()).rows
  expect(kept.every(({ create_time }) => create_time > Date.now() - (ALERT.keptDays + 1) * DAY)).toBe(true)
  expect(kept.length).toBeGreaterThan(0)
})

it('without anything else to do an alarm is set for the oldest of them', async () => {
  await report(network.points[0]!, 'online', 'offline')
  await passAlarms(4 * MINUTE)
  await report(network.points[0]!, 'offline', 'online')
  await passAlarms(MINUTE)
  await passAlarms((ALERT.keptDays + 1) * DAY)
  expect(await countRows()).toEqual([0, 0, 0])
})
