import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { flushOutbox } from '#durable/router-hub/outbox-flush.ts'
import { SharedSaves } from '#durable/router-hub/shared-saves.ts'
import {
  type Outbox,
  emptyOutbox,
  enqueue,
  isDue,
  isPending,
  withFailure,
  withNotified,
  withSaved,
} from '#durable/router-hub/state/outbox.ts'
import { type RouterState, blankRouter, unknownRouter } from '#durable/router-hub/state/storage.ts'
import type { Hubs } from '#contract/kernel/hubs.ts'
import { JOB } from '#contract/network/limits.ts'

const T0 = 1_800_000_000_000

describe('outbox', () => {
  const line = (epoch: number) =>
    ({ epoch, online: 1, remoteHost: '', remotePort: 0, version: '', reason: '', at: T0 }) as const

  it('clears only what was sent; later entries remain pending', () => {
    const sent = enqueue(emptyOutbox, { logs: [line(1)], endpointMoved: true })
    const grown = enqueue(sent, { logs: [line(2)], endpointMoved: true })
    const after = withNotified(withSaved(grown, sent, T0), sent)
    expect(isPending(after)).toBe(true)
    expect(after.logs).toEqual([line(2)])
    expect(after.endpointMoved).toBe(true)
    expect(isPending(withNotified(withSaved(after, after, T0), after))).toBe(false)
  })

  it('backs off after each failure, and resets the backoff when it is flushed', () => {
    let outbox: Outbox = enqueue(emptyOutbox, {})
    const waits: number[] = []
    for (let i = 0; i < 12; i++) {
      outbox = withFailure(outbox, T0, 1)
      waits.push((outbox.flushAt ?? 0) - T0)
    }
    expect(waits.slice(0, 3)).toEqual([1000, 2000, 4000])
    expect(waits.at(-1)).toBe(300_000)
    expect(withNotified(withSaved(outbox, outbox, T0), outbox)).toMatchObject({ failures: 0, flushAt: null })
  })

  it('lets log lines wait until a fixed time, and flushes them with an urgent entry', () => {
    const later = { logs: [line(1)], isQuiet: true, flushAt: T0 + 30_000 }
    const waiting = enqueue(enqueue(emptyOutbox, later), { ...later, flushAt: T0 + 60_000 })
    expect([isDue(waiting, T0), isDue(waiting, T0 + 29_999), isDue(waiting, T0 + 30_000)]).toEqual([false, false, true])
    const urgent = enqueue(waiting, {})
    expect([isDue(urgent, T0), urgent.logs.length]).toEqual([true, 2])
    const flushed = withNotified(withSaved(waiting, waiting, T0), waiting)
    expect([isPending(flushed), flushed.flushAt]).toEqual([false, null])
    expect(enqueue(withFailure(urgent, T0, 0), later).flushAt).toBe(T0 + 500) // a retry that is nearer stays
  })

  it('holds data of results only as far as one value of the database can hold it; the oldest lose theirs', () => {
    const data = '"'.repeat(JOB.dataMax)
    let outbox: Outbox = emptyOutbox
    for (let n = 0; n < 100; n++)
      outbox = enqueue(outbox, { results: [{ id: `${n}`, state: 'done', reason: '', data }] })
    const results = outbox.results ?? []
    expect(results.filter((result) => result.data !== undefined).map(({ id }) => Number(id))).toEqual(
      Array.from({ length: 32 }, (_, n) => 68 + n),
    )
    expect(results[0]).toEqual({ id: '0', state: 'done', reason: '结果数据过大，未保留' })
    expect(Buffer.byteLength(JSON.stringify(results))).toBeLessThan(2_000_000)
    const few = enqueue(emptyOutbox, { results: results.slice(-JOB.pendingMax) })
    expect(few.results).toEqual(results.slice(-JOB.pendingMax))
  })

  it('sends the links as they are after a save that has waited, not as they were before it', async () => {
    const id = 'N1:NL1>NL2'
    const link = { up: true, rtt_ms: 9 }
    const router = { ...unknownRouter, accountHub: 'default.a', networks: [{ hub: 'default.n', number: 'N1' }] }
    const outbox = enqueue(emptyOutbox, { isPresence: true })
    let state: RouterState = { ...blankRouter, router, links: { [id]: link }, outbox }
    const saveRouter = async () => {
      state = { ...state, links: { [id]: { ...link, up: false } } }
      return 'saved' as const
    }
    const linksReported = vi.fn<(report: unknown) => Promise<void>>(async () => {})
    const hubs = {
      account: () => ({ saveRouter, routerChanged: async () => {} }),
      network: () => ({ memberChanged: async () => {}, linksReported }),
    } as unknown as Hubs
    const update = (change: (outbox: Outbox) => Outbox) => {
      state = { ...state, outbox: change(state.outbox) }
    }
    const ports = { deliver: () => {}, state: () => state, update, withVolumes: (logs: Outbox['logs']) => logs }
    await flushOutbox({ env: {} as Env, hub: 'default.x', hubs, shared: new SharedSaves(hubs), ...ports }, state)
    expect(linksReported.mock.calls).toMatchObject([[{ links: [{ id, up: false }] }]])
    expect(isPending(state.outbox)).toBe(false)
  })

  it('logs a persistent fault the first time and at each doubling', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const outbox = enqueue(emptyOutbox, { isQuiet: true })
    let state: RouterState = { ...blankRouter, router: unknownRouter, outbox }
    for (let i = 0; i < 20; i++) {
      const update = (change: (outbox: Outbox) => Outbox) => {
        state = { ...state, outbox: change(state.outbox) }
      }
      const hubs = {} as Hubs
      const ports = { deliver: () => {}, state: () => state, update, withVolumes: (logs: Outbox['logs']) => logs }
      await flushOutbox({ env: {} as Env, hub: 'default.x', hubs, shared: new SharedSaves(hubs), ...ports }, state)
    }
    const lines = warn.mock.calls.map(([line]) => JSON.parse(String(line)) as { event: string; failures: number })
    warn.mockRestore()
    expect(state.outbox.failures).toBe(20)
    expect(lines.map(({ event, failures }) => [event, failures])).toEqual([1, 2, 4, 8, 16].map((n) => ['outbox', n]))
  })

  it('loses nothing under any order of changes, deliveries and failures', () => {
    const action = fc.constantFrom('change', 'take', 'deliver', 'fail')
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (script) => {
        let outbox: Outbox = emptyOutbox
        let sent: Outbox | null = null
        const delivered = new Set<number>()
        let epochs = 0
        for (const what of script) {
          if (what === 'change') outbox = enqueue(outbox, { logs: [line(++epochs)] })
          if (what === 'take') sent = outbox
          if (what === 'fail') outbox = withFailure(outbox, T0, 0.5)
          if (what === 'deliver' && sent) {
            for (const { epoch } of sent.logs) delivered.add(epoch)
            outbox = withSaved(outbox, sent, T0)
          }
        }
        for (const { epoch } of outbox.logs) delivered.add(epoch)
        expect(delivered.size).toBe(epochs)
      }),
    )
  })
})
