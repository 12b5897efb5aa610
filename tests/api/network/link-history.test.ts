import { expect, it } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { dialLogs } from '#db/schema/clients.ts'
import { linkId } from '#domain/network/members/links.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import { createFleet, createNetwork, unique } from '#tests/support/fixtures.ts'
import { createTestWorker, db, refusal } from '#tests/support/test-worker.ts'

const MINUTE = 60_000

it('joins what the hub of the dialling end has measured with the ups and downs of the log', async () => {
  const { main, routers } = await createFleet({ hardware: 2 })
  const [center, point] = routers
  const number = await createNetwork(main, [center!, point!])
  const id = linkId(number, point!.name, center!.name)
  const to = Math.ceil(Date.now() / MINUTE) * MINUTE
  const row = {
    accountId: main.accountId,
    networkNumber: number,
    routerName: point!.name,
    routerId: point!.id,
    linkRouterName: center!.name,
    mode: 'p2p' as const,
    isLink: 1 as const,
  }
  await db.insert(dialLogs).values([
    { ...row, key: unique('k'), startAt: to - 40 * MINUTE, endAt: to - 20 * MINUTE, reason: '对端无应答' },
    { ...row, key: unique('k'), startAt: to - 10 * MINUTE },
    { ...row, key: unique('k'), startAt: to - 500 * MINUTE, endAt: to - 400 * MINUTE },
    { ...row, key: unique('k'), startAt: to - 900 * MINUTE, endAt: to - 800 * MINUTE },
    { ...row, key: unique('k'), startAt: to - 5 * MINUTE, linkRouterName: 'another' },
  ])
  const measured = { time: to - 30 * MINUTE, rtt_ms: 12.5, rtt_max_ms: 40, loss: 20 }
  const { hubs, calls } = fakeHubs({
    'router.linkSeries': () => ({ from: to - 60 * MINUTE, to, step_ms: MINUTE, points: [measured] }),
  })
  const worker = createTestWorker({ hubs })
  const reply = await worker.call(networkApi.linkHistory, { network_number: number, id }, main.token)
  expect(reply).toMatchObject({ code: 200, trips: 1, data: { step_ms: MINUTE } })
  expect(calls).toMatchObject([{ hub: point!.hub, method: 'linkSeries', args: [id, 'hour'] }])
  const upAt = (minutes: number) => reply.data.points.find(({ time }) => time === to - minutes * MINUTE)
  expect(upAt(30)).toEqual({ ...measured, up: 1 })
  expect([upAt(50)?.up, upAt(15)?.up, upAt(5)?.up]).toEqual([0, 0, 1])
  expect(reply.data.events).toEqual([
    { time: to - 10 * MINUTE, up: 1, reason: '' },
    { time: to - 20 * MINUTE, up: 0, reason: '对端无应答' },
    { time: to - 40 * MINUTE, up: 1, reason: '' },
  ])
})

it('answers for links of this network alone', async () => {
  const { main, routers } = await createFleet({ hardware: 4 })
  const [center, point, other, outside] = routers
  const number = await createNetwork(main, [center!, point!])
  const second = await createNetwork(main, [other!, outside!])
  const { main: stranger } = await createFleet({ hardware: 1 })
  const read = (network_number: string, id: string, who = main) =>
    who.call(networkApi.linkHistory, { network_number, id })
  const own = linkId(number, point!.name, center!.name)
  expect((await read(number, own)).code).toBe(200)
  for (const id of ['x', linkId(second, outside!.name, other!.name), linkId(number, outside!.name, center!.name)])
    expect(await read(number, id)).toMatchObject(refusal('LINK_NOT_FOUND'))
  expect(await read(number, own, stranger)).toMatchObject(refusal('NETWORK_NOT_FOUND'))
})
