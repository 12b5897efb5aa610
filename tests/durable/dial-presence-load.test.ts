import { env, runInDurableObject } from 'cloudflare:test'
import { sql } from 'drizzle-orm'
import { expect, it, vi } from 'vitest'
import { CLIENT_NOTICES, FAN_OUT_MS } from '#contract/kernel/hub-limits.ts'
import { DIALS_PER_FRAME, type DialReport, type PresenceState } from '#contract/kernel/protocol.ts'
import { insertSoftwareRouters } from '#tests/support/rows.ts'
import { db } from '#tests/support/test-worker.ts'
import {
  accountStub,
  connectViewer,
  createViewer,
  isShown,
  later,
  networkStub,
  readNow,
  routerStub,
  until,
  isFrame,
} from './support.ts'
import { createDialNetwork, dial } from './dial-network.ts'
import { holdTimers } from './clock.ts'

/** Rows that D1 charges for, and how often it is asked. */
function meterDatabase() {
  const batch = env.DB!.batch.bind(env.DB)
  const sum = { read: 0, written: 0 }
  vi.spyOn(env.DB!, 'batch').mockImplementation(async (statements) => {
    const results = await batch(statements)
    for (const { meta } of results) {
      sum.read += meta.rows_read
      sum.written += meta.rows_written
    }
    return results as never
  })
  return sum
}

/** A network with so many further software members. */
async function createCrowd(size: number) {
  const network = await createDialNetwork()
  const { accountId, id: networkId, center } = network
  const names = Array.from({ length: size }, (_, n) => `c${n}@${accountId}`)
  await insertSoftwareRouters(accountId, names)
  await db.run(sql`insert into network_members (account_id, network_id, router_id, member_type, host, joined_at)
    select account_id, ${networkId}, id, 'point', 2000 + row_number() over (), 0 from routers
    where account_id = ${accountId} and name like 'c%'`)
  await readNow(routerStub(center))
  await readNow(networkStub(network))
  return { ...network, names }
}

it('1,000 software members that come and go at once are few rows each, and few wakes and frames', async () => {
  const size = 1_000
  const network = await createCrowd(size)
  const { accountId, devices, names } = network
  await db.run(sql`create table notices (at integer)`)
  await db.run(
    sql`create trigger count_notices after insert on hub_outbox begin insert into notices values (new.due_at); end`,
  )
  const viewers = [
    await connectViewer(accountStub(network), createViewer(network)),
    await connectViewer(networkStub(network), createViewer(network)),
  ]
  for (const viewer of viewers)
    viewer.socket.addEventListener('message', ({ data }) => {
      viewer.send({ type: 'ack', seq: (JSON.parse(String(data)) as { seq: number }).seq })
    })
  await viewers[1]!.next(isShown('snapshot'))
  const calls: number[] = []
  await runInDurableObject(networkStub(network), (hub) => {
    const clientsChanged = hub.clientsChanged.bind(hub)
    hub.clientsChanged = async (changes) => {
      calls.push(changes.length)
      return clientsChanged(changes)
    }
  })
  const dials = names.map((name) => dial(network, { name }))
  const settled = env.DB!.prepare(`select count(*) as count from routers r join router_states s on s.router_id = r.id
    where r.account_id = ? and r.name like 'c%' and s.presence = ? and s.notified_presence is null`)
  const rows = meterDatabase()
  const timers = holdTimers(FAN_OUT_MS)
  const isPending = ({ key }: DialReport) =>
    runInDurableObject(routerStub(network.center), (hub) => hub['dials']['pending'].has(key) || undefined)
  const send = async (all: readonly DialReport[], state: PresenceState) => {
    later(1_000) // a device may send 20 frames a second
    for (let at = 0; at < all.length; at += DIALS_PER_FRAME)
      devices[0].send({ t: 'dial', dials: all.slice(at, at + DIALS_PER_FRAME) })
    await until(() => isPending(all.at(-1)!))
    await until(async () => {
      timers.release()
      const row = await settled.bind(accountId, state).first<{ count: number }>() // not metered
      return row!.count === size ? true : undefined
    })
  }
  await send(dials, 'online')
  await send(
    dials.map((each) => ({ ...each, ended_ms: 0 })),
    'offline',
  )
  const saves = devices[0].frames.filter(isFrame('dial_ack')).length
  expect(saves).toBeLessThanOrEqual(4) // those who come and those who go: of the first frame, and of all others
  const [notices] = await db.all<[number]>(sql`select count(*) from notices`)
  expect(notices![0]).toBeLessThanOrEqual(saves)
  expect(calls.length).toBeLessThanOrEqual(saves * Math.ceil(size / CLIENT_NOTICES.page))
  expect(calls.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(2 * size + CLIENT_NOTICES.page)
  const [console, page] = viewers.map(({ frames }) => frames.length)
  expect(console).toBeLessThanOrEqual(1 + 2 * calls.length) // a call moves members and their network's health
  expect(page).toBeLessThanOrEqual(1 + calls.length)
  expect(rows.written / (2 * size)).toBeLessThanOrEqual(9)
  expect(rows.read / (2 * size)).toBeLessThanOrEqual(60)
}, 60_000)
