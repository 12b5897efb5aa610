import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { QUESTION, QUESTION_FAILED, QUESTION_REFUSAL } from '#contract/device/questions.ts'
import type { SentDocument } from '#contract/device/document.ts'
import type { HubFrame } from '#contract/kernel/protocol.ts'
import { JOB } from '#contract/network/limits.ts'
import { DeviceQuestions } from '#durable/router-hub/device-questions.ts'
import { blankRouter, saveDocument, unknownDevice } from '#durable/router-hub/state/storage.ts'
import { FakeStorage } from '../fake-storage.ts'

const PING = { kind: 'ping', network_number: 'N1', destination: '10.1.0.5', count: 4 } as const
const ROUTE = { kind: 'route', network_number: 'N1', destination: '10.1.0.5', source: null, arrival: null } as const
const PONG = { source: '100.64.0.2', sent: 4, received: 4, times_ms: [1, 2, 3, 4] }
const LINK = 'N1:P>A'
const DOCUMENT = {
  router_name: 'P',
  networks: [{ network_number: 'N1', links: [{ id: LINK }] }],
} as unknown as SentDocument

type Command = Extract<HubFrame, { t: 'command' }>

function open(over: { capabilities?: readonly string[]; isOnline?: boolean; isSent?: boolean } = {}) {
  const { capabilities = [QUESTION.capability], isOnline = true, isSent = true } = over
  const storage = new FakeStorage() as unknown as DurableObjectStorage
  saveDocument(storage, DOCUMENT)
  const presence = { ...blankRouter.presence, connected: isOnline, greeted: isOnline }
  const sent: Command[] = []
  const questions = new DeviceQuestions({
    storage,
    state: () => ({ ...blankRouter, presence, device: { ...unknownDevice, capabilities } }),
    send: (frame) => {
      sent.push(frame as Command)
      return isSent
    },
  })
  const result = (data: unknown, nth = 0, over = {}) =>
    questions.take({ t: 'job_result', id: sent[nth]?.id ?? '', state: 'done', data, ...over })
  return { questions, sent, result }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a question to a device', () => {
  it('goes out as a command and comes back with its answer, once', async () => {
    const { questions, sent, result } = open()
    const asked = questions.ask(PING)
    expect(sent).toMatchObject([{ t: 'command', kind: 'ping', params: { network_number: 'N1', count: 4 } }])
    expect(result(PONG)).toBe(true)
    expect(await asked).toEqual({ state: 'answered', data: PONG })
    expect(result(PONG)).toBe(false)
  })

  it.each([
    ['offline', { isOnline: false }],
    ['too_old', { capabilities: ['report'] }],
    ['offline', { isSent: false }],
  ] as const)('is answered %s at once', async (state, over) => {
    expect(await open(over).questions.ask(PING)).toEqual({ state })
  })

  it('is one at a time; one about its routes goes beside it', async () => {
    const { questions, sent, result } = open()
    const first = questions.ask(PING)
    expect(await questions.ask(ROUTE)).toEqual({ state: 'busy' })
    void questions.ask({ kind: 'routes', network_number: 'N1', offset: 0 })
    expect(sent.map(({ kind }) => kind)).toEqual(['ping', 'routes'])
    result(PONG)
    await first
    void questions.ask(ROUTE)
    expect(sent).toHaveLength(3)
  })

  it('is silent after its time, and its late answer is nobody’s', async () => {
    const { questions, result } = open()
    const asked = questions.ask(PING)
    await vi.advanceTimersByTimeAsync(QUESTION.answerMs)
    expect(await asked).toEqual({ state: 'silent' })
    expect(result(PONG)).toBe(false)
  })

  it('ends with the connection', async () => {
    const { questions } = open()
    const asked = questions.ask(PING)
    questions.disconnected()
    expect(await asked).toEqual({ state: 'offline' })
  })

  it('about a network that the device does not carry never reaches it', async () => {
    const { questions, sent } = open()
    const other = await questions.ask({ ...PING, network_number: 'N2' })
    expect(other).toEqual({ state: 'refused', reason: QUESTION_REFUSAL.network })
    expect(sent).toEqual([])
  })

  it.each([
    ['without data', PING, undefined],
    ['of another form', PING, { source: 'router', sent: 4, received: 4, times_ms: [] }],
    ['with more than was asked', PING, { ...PONG, times_ms: Array.from({ length: 11 }, () => 1) }],
    ['beyond its size', PING, { ...PONG, more: 'x'.repeat(JOB.dataMax) }],
    ['with a link of another network', ROUTE, { via: { link: 'N2:P>B' }, prefix: null, session: null, tunnel: '' }],
  ] as const)('gets no answer from a device that answers %s', async (_, question, data) => {
    const { questions, result } = open()
    const asked = questions.ask(question as typeof PING)
    result(data)
    expect(await asked).toEqual({ state: 'refused', reason: QUESTION_FAILED })
  })

  it('keeps nothing of an answer beyond its fields, and cuts its texts', async () => {
    const { questions, result } = open()
    const asked = questions.ask(ROUTE)
    result({ via: { link: LINK }, prefix: '10.1.0.0/24', session: 'up', tunnel: 'x'.repeat(500), secret: 1 })
    const data = { via: { link: LINK }, prefix: '10.1.0.0/24', session: 'up', tunnel: 'x'.repeat(64) }
    expect(await asked).toEqual({ state: 'answered', data })
  })

  it.each([
    [QUESTION_REFUSAL.noRoute, QUESTION_REFUSAL.noRoute],
    ['网关 192.168.7.1 无应答', QUESTION_FAILED],
  ])('refused with %s shows %s', async (reason, shown) => {
    const { questions, result } = open()
    const asked = questions.ask(PING)
    result(undefined, 0, { state: 'failed', reason })
    expect(await asked).toEqual({ state: 'refused', reason: shown })
  })
})
