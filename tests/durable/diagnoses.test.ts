import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { QUESTION } from '#contract/device/questions.ts'
import { DIAGNOSIS, type DiagnosisPlan, type DiagnosisRecord } from '#contract/network/diagnosis.ts'
import { JOB } from '#contract/network/limits.ts'
import { randomHex } from '#security/secrets.ts'
import {
  type DeviceSocket,
  type TestNetwork,
  type TestRouter,
  connectOnlineDevice,
  createHubNetwork,
  isFrame,
  isShown,
  later,
  networkStub,
  readNow,
  routerStub,
  until,
  watchNetwork,
} from './support.ts'

const TARGET = '10.4.0.9'

async function connectAsked(router: TestRouter): Promise<DeviceSocket> {
  const device = await connectOnlineDevice(router, { capabilities: [QUESTION.capability] })
  await readNow(routerStub(router)) // its document names the network
  return device
}

/** Answers the n-th question to a device. */
async function answer(device: DeviceSocket, data: unknown, nth = 0): Promise<string> {
  const isAsked = isFrame('command')
  const command = await until(() => device.frames.filter(isAsked)[nth])
  device.send({ t: 'job_result', id: command.id, state: 'done', data })
  return command.kind
}

const linkOf = ({ number, center, points }: TestNetwork) => `${number}:${points[0]!.name}>${center.name}`

function planOf(network: TestNetwork, over: Partial<DiagnosisPlan> = {}): DiagnosisPlan {
  const { number, center, points } = network
  const name = points[0]!.name
  return {
    jobId: randomHex(16),
    revision: 0,
    networkNumber: number,
    kind: 'path',
    routerName: name,
    routerNote: '门店',
    source: '',
    destination: TARGET,
    count: 1,
    by: 'demo',
    hops: [
      {
        name,
        label: '门店',
        isNode: false,
        intended: { links: [{ id: linkOf(network), peer: center.name }] },
        prefix: '10.4.0.0/24',
        origin: center.name,
      },
      {
        name: center.name,
        label: '总部',
        isNode: false,
        intended: { local: 'lan' },
        prefix: '10.4.0.0/24',
        origin: null,
      },
    ],
    isPinged: true,
    labels: { [name]: '门店', [center.name]: '总部' },
    addresses: {},
    nodes: [],
    segments: [],
    ...over,
  }
}

const recordOf = (network: TestNetwork, { jobId }: DiagnosisPlan) =>
  networkStub(network).diagnosis(jobId) as Promise<DiagnosisRecord | null>
const ended = (network: TestNetwork, plan: DiagnosisPlan) =>
  until(async () => {
    const record = await recordOf(network, plan)
    return record === null || record.state === 'running' ? undefined : record
  })

const VIA_LINK = (network: TestNetwork) => ({ via: { link: linkOf(network) }, prefix: null, session: 'up', tunnel: '' })
const VIA_LAN = { via: { local: 'lan' }, prefix: null, session: null, tunnel: '' }
const PONG = { source: '100.64.0.2', sent: 1, received: 1, times_ms: [2] }

describe('network · a diagnosis in the hub', () => {
  it('asks the routers one after the other, shows each step to viewers, and is kept', async () => {
    const network = await createHubNetwork()
    const [point, center] = [await connectAsked(network.points[0]!), await connectAsked(network.center)]
    const viewer = await watchNetwork(network)
    const plan = planOf(network)
    const started = networkStub(network).diagnose(plan)
    expect(await answer(point, VIA_LINK(network))).toBe('route')
    expect(await started).toBe('accepted')
    await answer(center, VIA_LAN)
    expect(await answer(point, PONG, 1)).toBe('ping')
    const record = await ended(network, plan)
    expect(record).toMatchObject({
      job_id: plan.jobId,
      state: 'done',
      router_name_note: '门店',
      by: 'demo',
      verdict: { ok: 1, text: `逐跳一致，${TARGET} 可达，平均 2 ms` },
    })
    expect(record.steps.map(({ label }) => label)).toEqual(['门店', '总部', '门店'])
    const frames = viewer.frames.filter(isShown('diagnosis'))
    expect(new Set(frames.map(({ data }) => data.job_id))).toEqual(new Set([plan.jobId]))
    const { rows, count } = await networkStub(network).diagnoses(1, 20)
    expect({ count, ids: rows.map(({ job_id }) => job_id), hasSteps: rows.some((row) => 'steps' in row) }).toEqual({
      count: 1,
      ids: [plan.jobId],
      hasSteps: false,
    })
  })

  it('is refused at once by a router that is away, too old or asked already, and leaves no record', async () => {
    const network = await createHubNetwork(2)
    const [first, second] = network.points
    expect(await networkStub(network).diagnose(planOf(network))).toBe('offline')
    await connectOnlineDevice(first!)
    expect(await networkStub(network).diagnose(planOf(network))).toBe('too_old')
    const device = await connectAsked(second!)
    const plan = planOf(network, { kind: 'ping', routerName: second!.name })
    const running = networkStub(network).diagnose(plan)
    await until(() => device.frames.find(isFrame('command')))
    expect(await networkStub(network).diagnose({ ...plan, jobId: randomHex(16) })).toBe('busy')
    await answer(device, PONG)
    expect(await running).toBe('accepted')
    await ended(network, plan)
    expect(await networkStub(network).diagnoses(1, 20)).toMatchObject({ count: 1 })
  })

  it('ends when a router on the way disconnects', async () => {
    const network = await createHubNetwork()
    const [point, center] = [await connectAsked(network.points[0]!), await connectAsked(network.center)]
    const plan = planOf(network)
    const started = networkStub(network).diagnose(plan)
    await answer(point, VIA_LINK(network))
    expect(await started).toBe('accepted')
    await until(() => center.frames.find(isFrame('command')))
    center.socket.close(1000, 'bye')
    expect(await ended(network, plan)).toMatchObject({ verdict: { ok: 0, text: '总部 设备离线，无法继续' } })
  })

  it.each([
    ['too large', { ...PONG, source: 'x'.repeat(JOB.dataMax + 1) }],
    ['of another form', { via: { link: 'N9:X>Y' }, prefix: null, session: null, tunnel: '' }],
    ['markup', { ...PONG, source: '<b>1</b>' }],
  ])('keeps nothing of an answer that is %s', async (_, data) => {
    const network = await createHubNetwork()
    const point = await connectAsked(network.points[0]!)
    const plan = planOf(network, { kind: 'ping' })
    const started = networkStub(network).diagnose(plan)
    await answer(point, data)
    expect(await started).toBe('accepted')
    const record = await ended(network, plan)
    expect(record).toMatchObject({ steps: [], verdict: { ok: 0, text: '门店：设备未能执行诊断' } })
  })

  it('of a network that the device does not carry asks nothing', async () => {
    const network = await createHubNetwork()
    const point = await connectAsked(network.points[0]!)
    const plan = planOf(network, { kind: 'ping', networkNumber: 'N-OTHER' })
    expect(await networkStub(network).diagnose(plan)).toBe('accepted')
    expect(await ended(network, plan)).toMatchObject({ verdict: { ok: 0, text: '门店：设备上没有该组网' } })
    expect(point.frames.filter(isFrame('command'))).toEqual([])
  })

  it('that its object did not end is shown as interrupted, and one is gone after 30 days', async () => {
    const network = await createHubNetwork()
    const stub = networkStub(network)
    await readNow(stub)
    const record: DiagnosisRecord = {
      job_id: 'b'.repeat(32),
      kind: 'ping',
      router_name: 'P',
      router_name_note: '',
      source: '',
      destination: TARGET,
      by: 'demo',
      create_time: Date.now(),
      state: 'running',
      reason: '',
      verdict: null,
      steps: [],
    }
    await runInDurableObject(stub, (_, { storage }) => {
      const write = 'INSERT INTO diagnoses (id, at, body) VALUES (?, ?, ?)'
      storage.sql.exec(write, record.job_id, record.create_time, JSON.stringify(record))
    })
    expect(await stub.diagnosis(record.job_id)).toMatchObject({ state: 'failed', reason: '诊断被中断' })
    later(DIAGNOSIS.keptMs + 1_000)
    expect(await stub.diagnosis(record.job_id)).toBeNull()
    expect(await stub.diagnoses(1, 20)).toEqual({ rows: [], count: 0 })
  })
})
