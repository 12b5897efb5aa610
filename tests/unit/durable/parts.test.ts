import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { admit, noConnects } from '../../../durable/router-hub/admission.ts'
import { addJob, expireJobs, finishJob, jobsDue, pendingJobs } from '../../../durable/router-hub/jobs.ts'
import {
  type Outbox,
  failed,
  isDue,
  isOwing,
  nothingOwed,
  owe,
  stored,
  told,
} from '../../../durable/router-hub/outbox.ts'
import { routersFor } from '../../../durable/account-hub/visibility.ts'
import { SingleFlight } from '../../../durable/single-flight.ts'
import { acknowledge, freshCredit, offer } from '../../../durable/viewer-credit.ts'
import { SOCKET_GUARD, STREAM } from '../../../worker/contract/limits.ts'
import { neverSeen, noConfig } from '../../../worker/domain/router/presence.ts'

const T0 = 1_800_000_000_000

describe('credit of a viewer', () => {
  it('lets four frames out, then none until an acknowledgement, then catches up once', () => {
    let credit = freshCredit
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
        let credit = freshCredit
        let seq = 0
        for (const ack of script) {
          credit = ack === null ? offer(credit, ++seq).credit : acknowledge(credit, ack).credit
          expect(credit.inFlight.length).toBeLessThanOrEqual(STREAM.creditFrames)
        }
      }),
    )
  })
})

describe('admission', () => {
  it('lets thirty in five minutes through, then pauses twice as long each time', () => {
    let admission = noConnects
    let now = T0
    const waits: number[] = []
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i <= SOCKET_GUARD.reconnects; i++) {
        const next = admit(admission, now)
        admission = next.admission
        if (next.waitMs > 0) waits.push(next.waitMs)
      }
      expect(admit(admission, now + 1).waitMs).toBeGreaterThan(0)
      now = admission.closedUntil
    }
    expect(waits).toEqual([60_000, 120_000, 240_000])
    expect(admit(admission, now + SOCKET_GUARD.reconnectWindowMs + 1).admission.pauses).toBe(0)
  })
})

describe('jobs', () => {
  const job = (id: string, expiresAt = T0 + 1000) => ({ id, kind: 'report', params: {}, expiresAt })
  it('keep their order, their first answer and nobody else’s', () => {
    let jobs = addJob(addJob([], job('a')), job('b'))
    expect(pendingJobs(jobs, T0).map(({ id }) => id)).toEqual(['a', 'b'])
    jobs = finishJob(jobs, { t: 'job_result', id: 'a', state: 'done' })
    expect(finishJob(jobs, { t: 'job_result', id: 'a', state: 'failed' })).toBe(jobs)
    expect(finishJob(jobs, { t: 'job_result', id: 'x', state: 'done' })).toBe(jobs)
    expect(jobs.map(({ state }) => state)).toEqual(['done', 'pending'])
  })
  it('expire', () => {
    const jobs = addJob([], job('a'))
    expect(jobsDue(jobs)).toBe(T0 + 1000)
    expect(expireJobs(jobs, T0 + 999)).toBe(jobs)
    expect(expireJobs(jobs, T0 + 1000)[0]?.state).toBe('expired')
    expect(jobsDue(expireJobs(jobs, T0 + 1000))).toBeNull()
  })
})

describe('outbox', () => {
  const line = (epoch: number) =>
    ({ epoch, online: 1, remoteHost: '', remotePort: 0, version: '', reason: '', at: T0 }) as const

  it('strikes only what was sent; what came meanwhile stays owed', () => {
    const sent = owe(nothingOwed, { logs: [line(1)], endpointMoved: true })
    const grown = owe(sent, { logs: [line(2)], endpointMoved: true })
    const after = told(stored(grown, sent), sent)
    expect(isOwing(after)).toBe(true)
    expect(after.logs).toEqual([line(2)])
    expect(after.endpointMoved).toBe(true)
    expect(isOwing(told(stored(after, after), after))).toBe(false)
  })

  it('waits longer after each failure, and forgets that once it is even', () => {
    let outbox: Outbox = owe(nothingOwed, {})
    const waits: number[] = []
    for (let i = 0; i < 12; i++) {
      outbox = failed(outbox, T0, 1)
      waits.push((outbox.payAt ?? 0) - T0)
    }
    expect(waits.slice(0, 3)).toEqual([1000, 2000, 4000])
    expect(waits.at(-1)).toBe(300_000)
    expect(told(stored(outbox, outbox), outbox)).toMatchObject({ failures: 0, payAt: null })
  })

  it('lets lines of the log wait, for a moment that they do not put off, and pays them with what cannot', () => {
    const later = { logs: [line(1)], isQuiet: true, payAt: T0 + 30_000 }
    const waiting = owe(owe(nothingOwed, later), { ...later, payAt: T0 + 60_000 })
    expect([isDue(waiting, T0), isDue(waiting, T0 + 29_999), isDue(waiting, T0 + 30_000)]).toEqual([false, false, true])
    const urgent = owe(waiting, {})
    expect([isDue(urgent, T0), urgent.logs.length]).toEqual([true, 2])
    const even = told(stored(waiting, waiting), waiting)
    expect([isOwing(even), even.payAt]).toEqual([false, null])
    expect(owe(failed(urgent, T0, 0), later).payAt).toBe(T0 + 500) // a retry that is nearer stays
  })

  it('loses nothing under any order of changes, deliveries and failures', () => {
    const action = fc.constantFrom('change', 'take', 'deliver', 'fail')
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (script) => {
        let outbox: Outbox = nothingOwed
        let sent: Outbox | null = null
        const delivered = new Set<number>()
        let epochs = 0
        for (const what of script) {
          if (what === 'change') outbox = owe(outbox, { logs: [line(++epochs)] })
          if (what === 'take') sent = outbox
          if (what === 'fail') outbox = failed(outbox, T0, 0.5)
          if (what === 'deliver' && sent) {
            for (const { epoch } of sent.logs) delivered.add(epoch)
            outbox = stored(outbox, sent)
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

it('a limited sub-account hears only of members of its networks', () => {
  const change = (routerName: string, networkNumbers: string[]) => ({
    routerName,
    networkNumbers,
    presence: neverSeen,
    config: noConfig,
  })
  const changes = [change('a', ['n1']), change('b', ['n2']), change('c', [])]
  const names = (networks: string[] | null) =>
    routersFor({ kind: 'ram', flags: [], networks }, changes).map((r) => r.router_name)
  expect(names(null)).toEqual(['a', 'b', 'c'])
  expect(names(['n1'])).toEqual(['a'])
  expect(names([])).toEqual([])
})
