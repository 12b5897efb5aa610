import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { flushOutbox } from '#durable/router-hub/outbox-flush.ts'
import {
  addCommand,
  expireCommands,
  finishCommand,
  commandsDue,
  endedCommands,
  newJobs,
  pendingCommands,
} from '#durable/router-hub/state/commands.ts'
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
import { limitReconnects, noReconnects } from '#durable/router-hub/state/presence.ts'
import { type RouterState, blankRouter, unknownRouter } from '#durable/router-hub/state/storage.ts'
import { SingleFlight, Slots } from '#durable/async.ts'
import { acknowledge, INITIAL_CREDIT, offer } from '#durable/viewer-credit.ts'
import type { Hubs } from '#contract/kernel/hubs.ts'
import { SOCKET_GUARD, STREAM } from '#contract/kernel/hub-limits.ts'
import { coversAnyNetwork } from '#contract/kernel/permissions.ts'

const T0 = 1_800_000_000_000

describe('credit of a viewer', () => {
  it('sends four frames, then none until an acknowledgement, then catches up once', () => {
    let credit = INITIAL_CREDIT
    const sent: number[] = []
    for (let seq = 1; seq <= 9; seq++) {
      const next = offer(credit, seq)
      if (next.send) sent.push(seq)
      credit = next.credit
    }
    expect(sent).toEqual([1, 2, 3, 4])
    const first = acknowledge(credit, 1)
    expect(first.catchUp).toBe(true)
    expect(acknowledge(first.credit, 1).catchUp).toBe(false)
  })

  it('never has more than its credit in flight', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(60)), { maxLength: 80 }), (script) => {
        let credit = INITIAL_CREDIT
        let seq = 0
        for (const ack of script) {
          credit = ack === null ? offer(credit, ++seq).credit : acknowledge(credit, ack).credit
          expect(credit.inFlight.length).toBeLessThanOrEqual(STREAM.creditFrames)
        }
      }),
    )
  })
})

describe('reconnects', () => {
  it('allows thirty in five minutes, then pauses twice as long each time', () => {
    let reconnects = noReconnects
    let now = T0
    const waits: number[] = []
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i <= SOCKET_GUARD.reconnects; i++) {
        const next = limitReconnects(reconnects, false, now)
        reconnects = next.reconnects
        if (next.waitMs > 0) waits.push(next.waitMs)
      }
      expect(limitReconnects(reconnects, false, now + 1).waitMs).toBeGreaterThan(0)
      now = reconnects.closedUntil
    }
    expect(waits).toEqual([60_000, 120_000, 240_000])
    expect(limitReconnects(reconnects, false, now + SOCKET_GUARD.reconnectWindowMs + 1).reconnects.pauses).toBe(0)
  })

  it('refuses takeovers beyond four a minute, and lets the device in that remains', () => {
    let reconnects = noReconnects
    const waits: number[] = []
    for (let second = 0; second < 60; second += 2) {
      const next = limitReconnects(reconnects, true, T0 + second * 1000)
      reconnects = next.reconnects
      if (next.waitMs > 0) waits.push(next.waitMs)
    }
    expect(waits).toHaveLength(30 - SOCKET_GUARD.takeovers)
    expect(waits[0]).toBe(52_000)
    expect(limitReconnects(reconnects, false, T0 + 60_000).waitMs).toBe(0)
    expect(limitReconnects(reconnects, true, T0 + 60_000).waitMs).toBe(0)
  })
})

describe('commands', () => {
  const command = (id: string, expiresAt = T0 + 1000) => ({ id, kind: 'report', params: {}, expiresAt })
  it('keep their order and their first answer', () => {
    let commands = addCommand(addCommand([], command('a')), command('b'))
    expect(pendingCommands(commands, T0).map(({ id }) => id)).toEqual(['a', 'b'])
    commands = finishCommand(commands, { t: 'job_result', id: 'a', state: 'done' })
    expect(finishCommand(commands, { t: 'job_result', id: 'a', state: 'failed' })).toBe(commands)
    expect(finishCommand(commands, { t: 'job_result', id: 'x', state: 'done' })).toBe(commands)
    expect(commands.map(({ state }) => state)).toEqual(['done', 'pending'])
  })
  it('expire', () => {
    const commands = addCommand([], command('a'))
    expect(commandsDue(commands)).toBe(T0 + 1000)
    expect(expireCommands(commands, T0 + 999)).toBe(commands)
    expect(expireCommands(commands, T0 + 1000)[0]?.state).toBe('expired')
    expect(commandsDue(expireCommands(commands, T0 + 1000))).toBeNull()
  })
  it('keep the newest, and those that wait for their device in any case', () => {
    let commands = addCommand([], command('waits'))
    for (let i = 0; i < 30; i++)
      commands = finishCommand(addCommand(commands, command(`${i}`)), { t: 'job_result', id: `${i}`, state: 'done' })
    expect(commands).toHaveLength(21)
    expect(pendingCommands(commands, T0).map(({ id }) => id)).toEqual(['waits'])
  })
  it('jobs of the rows are added once; what ended is saved once', () => {
    const commands = addCommand([], command('a'))
    expect(newJobs(commands, [command('a'), command('b')]).map(({ id }) => id)).toEqual(['b'])
    const ended = finishCommand(commands, { t: 'job_result', id: 'a', state: 'failed', reason: '没有连接' })
    expect(endedCommands(commands, ended)).toEqual([{ id: 'a', state: 'failed', reason: '没有连接' }])
    expect(endedCommands(ended, ended)).toEqual([])
    expect(endedCommands(commands, expireCommands(commands, T0 + 1000))).toEqual([
      { id: 'a', state: 'expired', reason: '' },
    ])
  })
})

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

  it('logs a persistent fault the first time and at each doubling', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const outbox = enqueue(emptyOutbox, { isQuiet: true })
    let state: RouterState = { ...blankRouter, router: unknownRouter, outbox }
    for (let i = 0; i < 20; i++) {
      const update = (change: (outbox: Outbox) => Outbox) => {
        state = { ...state, outbox: change(state.outbox) }
      }
      await flushOutbox({} as Env, 'default.x', {} as Hubs, state, update, (logs) => logs)
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

describe('single flight', () => {
  it('shares a run that starts after the call, and never two at once', async () => {
    let starts = 0
    let running = 0
    const release: (() => void)[] = []
    const flight = new SingleFlight(async () => {
      starts += 1
      expect(++running).toBe(1)
      await new Promise<void>((done) => release.push(done))
      running -= 1
    })
    const first = flight.run()
    const [second, third] = [flight.run(), flight.run()]
    expect(starts).toBe(1)
    release.shift()?.()
    await first
    await Promise.resolve()
    expect(starts).toBe(2)
    release.shift()?.()
    await Promise.all([second, third])
    expect(starts).toBe(2)
  })
})

describe('slots', () => {
  it('run so many tasks at once, the others in the order of their calls, also after one that failed', async () => {
    const slots = new Slots(2)
    const started: number[] = []
    const ends: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = []
    const runs = [0, 1, 2, 3].map((index) =>
      slots.run(() => {
        started.push(index)
        return new Promise<void>((resolve, reject) => (ends[index] = { resolve, reject }))
      }),
    )
    expect(started).toEqual([0, 1])
    ends[1]?.reject(new Error('broken'))
    await expect(runs[1]).rejects.toThrow('broken')
    expect(started).toEqual([0, 1, 2])
    ends[0]?.resolve()
    await runs[0]
    expect(started).toEqual([0, 1, 2, 3])
    ends[2]?.resolve()
    ends[3]?.resolve()
    await Promise.all([runs[2], runs[3]])
    expect(await slots.run(async () => 'free')).toBe('free')
  })
})

it('a limited sub-account sees members of its networks only, one that is in none not at all', () => {
  const members = { a: ['n1'], b: ['n2'], c: ['n2', 'n1'], d: [] }
  const seenBy = (networks: string[] | null) =>
    Object.entries(members)
      .filter(([, numbers]) => coversAnyNetwork({ kind: 'ram', flags: [], networks }, numbers))
      .map(([name]) => name)
  expect(seenBy(null)).toEqual(['a', 'b', 'c', 'd'])
  expect(seenBy(['n1'])).toEqual(['a', 'c'])
  expect(seenBy([])).toEqual([])
})
