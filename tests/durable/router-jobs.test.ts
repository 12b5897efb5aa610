import { eq } from 'drizzle-orm'
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { selectRouter } from '#features/router/sql/document-rows.ts'
import { insertJob } from '#features/network/sql/jobs.ts'
import { batch } from '#db/batch.ts'
import { randomHex } from '#security/secrets.ts'
import { db } from '#tests/support/test-worker.ts'
import {
  type TestNetwork,
  accountStub,
  connectOnlineDevice,
  createAccount,
  createHubNetwork,
  createHubRouter,
  isFrame,
  later,
  readNow,
  routerStub,
  until,
} from './support.ts'
import { JOB } from '#contract/network/limits.ts'
import { networkJobs } from '#db/schema/networks.ts'

/** As network/kill_user writes it. */
async function ask({ id, accountId, number, center }: TestNetwork, name = 'p'): Promise<string> {
  const jobId = randomHex(16)
  const job = {
    jobId,
    kind: 'kill_user',
    params: { network_number: number, name },
    routerIds: [center.routerId],
  } as const
  await batch(db, insertJob(db, { id, accountId, number }, job, Date.now()))
  return jobId
}
const stateOf = async (jobId: string) => {
  const [row] = await db.select().from(networkJobs).where(eq(networkJobs.jobId, jobId))
  return { state: row!.state, reason: row!.reason }
}
const ended = (jobId: string) =>
  until(async () => {
    const row = await stateOf(jobId)
    return row.state === 'pending' ? undefined : row
  })

/** Results at once, below the frames that a device may send in a second. */
const FEW = 5

describe('network 2 · a job of a device', () => {
  it('is sent when the rows are read, once, and its result comes into its row', async () => {
    const network = await createHubNetwork()
    const device = await connectOnlineDevice(network.center)
    const job = await ask(network)
    await readNow(routerStub(network.center))
    const command = await device.next(isFrame('command'))
    expect(command).toMatchObject({ id: job, kind: 'kill_user', params: { network_number: network.number, name: 'p' } })
    await readNow(routerStub(network.center))
    device.send({ t: 'job_result', id: job, state: 'failed', reason: '该成员当前没有连接' })
    expect(await ended(job)).toEqual({ state: 'failed', reason: '该成员当前没有连接' })
    await readNow(routerStub(network.center))
    expect(device.frames.filter(isFrame('command'))).toHaveLength(1)
  })

  it('has its data in the row, but none that is too deep for the database, and none is left in the hub', async () => {
    const network = await createHubNetwork()
    const device = await connectOnlineDevice(network.center)
    const jobs = [await ask(network, 'a'), await ask(network, 'b')]
    await readNow(routerStub(network.center))
    await until(() => device.frames.filter(isFrame('command')).length === 2 || undefined)
    const data = { sessions: 2, text: '断开 \u0000"' }
    const deep = JSON.parse('['.repeat(10_000) + ']'.repeat(10_000)) as unknown
    for (const [n, id] of jobs.entries()) device.send({ t: 'job_result', id, state: 'done', data: [data, deep][n] })
    const dropped = { state: 'done', reason: '结果数据过大，未保留' }
    expect(await Promise.all(jobs.map(ended))).toEqual([{ state: 'done', reason: '' }, dropped])
    const rows = await Promise.all(jobs.map((id) => db.select().from(networkJobs).where(eq(networkJobs.jobId, id))))
    expect(rows.flat().map((row) => row.data)).toEqual([JSON.stringify(data), null])
    const keys = () =>
      runInDurableObject(routerStub(network.center), (_, { storage }) => [...storage.kv.list()].map(([key]) => key))
    await until(async () => !(await keys()).some((key) => key.startsWith('result:')) || undefined)
  })

  it('of a node belongs to a customer’s account, and its result comes into the row all the same', async () => {
    const [network, operator] = [await createHubNetwork(), await createAccount()]
    const node = await createHubRouter(operator)
    const device = await connectOnlineDevice(node)
    const job = await ask({ ...network, center: node })
    await readNow(routerStub(node))
    expect(await device.next(isFrame('command'))).toMatchObject({ id: job })
    device.send({ t: 'job_result', id: job, state: 'done', reason: '该成员当前没有连接' })
    expect(await ended(job)).toEqual({ state: 'done', reason: '该成员当前没有连接' })
  })

  it('waits no longer for the many of another network', async () => {
    const [first, second] = [await createHubNetwork(), await createHubNetwork()]
    for (let i = 0; i < JOB.pendingMax; i++) await ask(first)
    const own = await ask({ ...second, center: first.center })
    const { jobs } = await selectRouter(db, first.center.hub)
    expect(jobs).toHaveLength(JOB.pendingMax)
    expect(jobs.slice(0, 2).map(({ id }) => id)).toContain(own)
  })

  it('beyond those of one read is sent once others have ended', async () => {
    const network = await createHubNetwork()
    const device = await connectOnlineDevice(network.center)
    const jobs: string[] = []
    for (let i = 0; i <= JOB.pendingMax; i++) jobs.push(await ask(network, `m${i}`))
    await readNow(routerStub(network.center))
    const sent = () => device.frames.filter(isFrame('command')).map(({ id }) => id)
    await until(() => sent().length === JOB.pendingMax || undefined)
    expect(sent()).toEqual(jobs.slice(0, -1))
    for (const id of sent().slice(0, FEW)) device.send({ t: 'job_result', id, state: 'done' })
    await until(async () => {
      await runDurableObjectAlarm(routerStub(network.center)) // the read of the next second
      return sent().includes(jobs.at(-1)!) || undefined
    })
  })

  it('of two members are two', async () => {
    const network = await createHubNetwork()
    const device = await connectOnlineDevice(network.center)
    const jobs = [await ask(network, 'a'), await ask(network, 'b')]
    await readNow(routerStub(network.center))
    for (const id of jobs) {
      await device.next((frame) => frame.t === 'command' && frame.id === id)
      device.send({ t: 'job_result', id, state: 'done' })
    }
    expect(await Promise.all(jobs.map(ended))).toMatchObject([{ state: 'done' }, { state: 'done' }])
  })

  it('waits for a device that is offline, and is over after its time', async () => {
    const network = await createHubNetwork()
    const waiting = await ask(network)
    await readNow(routerStub(network.center))
    const device = await connectOnlineDevice(network.center)
    expect(await device.next(isFrame('command'))).toMatchObject({ id: waiting })
    later(3_600_000)
    await runDurableObjectAlarm(routerStub(network.center))
    expect(await ended(waiting)).toMatchObject({ state: 'expired' })
  })

  it('that a device does not run is named to the account’s hub', async () => {
    const network = await createHubNetwork()
    await readNow(routerStub(network.center))
    await connectOnlineDevice(network.center, { capabilities: ['report', 'job:kill_user'] })
    const missing = await until(async () => {
      const known = (await accountStub(network).missingSettings([network.center.hub])) as Readonly<
        Record<string, readonly string[]>
      >
      return known[network.center.hub]
    })
    expect([missing.includes('job:reset_respawn'), missing.includes('job:kill_user')]).toEqual([true, false])
  })
})
