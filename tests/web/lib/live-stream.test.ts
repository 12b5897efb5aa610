import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CLOSE } from '#contract/kernel/protocol.ts'
import { acknowledge, INITIAL_CREDIT, offer } from '#durable/viewer-credit.ts'
import { TRAFFIC } from '#contract/kernel/limits.ts'
import { CONSOLE_SOCKET } from '#contract/kernel/hub-limits.ts'
import { INITIAL, liveState, reconnectDelayMs, step, type Stream, type StreamEvent } from '#lib/live/live-stream.ts'

const frame = (type: string, seq: number, code = 200): StreamEvent => ({ type: 'frame', frame: { code, seq, type } })
const opening: readonly StreamEvent[] = [{ type: 'resume' }, { type: 'ticket' }, { type: 'opened' }]

function run(events: readonly StreamEvent[], from: Stream = INITIAL, now = 0) {
  let stream = from
  const effects: string[] = []
  for (const event of events) {
    const next = step(stream, event, now, 0.5)
    stream = next.stream
    effects.push(...next.effects.map((effect) => (effect.type === 'ack' ? `ack ${effect.seq}` : effect.type)))
  }
  return { stream, effects, state: liveState(stream) }
}

describe('one viewer’s connection', () => {
  it('takes a ticket, opens, acknowledges and delivers', () => {
    const { effects, state } = run([...opening, frame('snapshot', 7), frame('delta', 8)])
    expect(effects).toEqual(['ask-ticket', 'open', 'ack 7', 'deliver', 'ack 8', 'deliver'])
    expect(state).toBe('live')
  })

  it('acknowledges every third frame of traffic, and others at once', () => {
    const { effects } = run([
      ...opening,
      frame('history', 1),
      ...[2, 3, 4, 5].map((seq) => frame('interface', seq)),
      frame('router', 6),
      ...[7, 8].map((seq) => frame('interface', seq)),
    ])
    expect(effects.filter((effect) => effect.startsWith('ack'))).toEqual(['ack 1', 'ack 4', 'ack 6'])
  })

  it('misses no frame of traffic while an acknowledgement takes longer than a tick', () => {
    let stream = run(opening).stream
    let credit = INITIAL_CREDIT
    let late: number | null = null
    for (let seq = 1; seq <= 20; seq++) {
      const offered = offer(credit, seq)
      expect(offered.send).toBe(true)
      credit = late === null ? offered.credit : acknowledge(offered.credit, late).credit
      const next = step(stream, frame('interface', seq), 0, 0.5)
      stream = next.stream
      late = next.effects.some(({ type }) => type === 'ack') ? seq : null
    }
  })

  it('never exhausts its credit while it reads', () => {
    const kinds = fc.constantFrom('interface', 'router', 'history')
    fc.assert(
      fc.property(fc.array(kinds, { maxLength: 60 }), (sent) => {
        let stream = run(opening).stream
        let credit = INITIAL_CREDIT
        for (const [seq, type] of sent.entries()) {
          const offered = offer(credit, seq)
          expect(offered.send).toBe(true)
          const next = step(stream, frame(type, seq), 0, 0.5)
          stream = next.stream
          credit = next.effects.reduce(
            (open, effect) => (effect.type === 'ack' ? acknowledge(open, effect.seq).credit : open),
            offered.credit,
          )
        }
      }),
    )
  })

  it('delivers several frames with one seq: a full-state frame has that of the newest frame', () => {
    const { effects } = run([...opening, frame('router', 7), frame('history', 7)])
    expect(effects.filter((effect) => effect === 'deliver')).toHaveLength(2)
  })

  it('requests the full state once after a gap, and drops deltas until it arrives', () => {
    const { effects } = run([
      ...opening,
      frame('snapshot', 1),
      frame('delta', 3),
      frame('delta', 4),
      frame('snapshot', 4),
      frame('delta', 5),
    ])
    expect(effects.slice(2).join(', ')).toBe(
      'ack 1, deliver, ack 3, ask-snapshot, missed, ack 4, ack 4, deliver, ack 5, deliver',
    )
  })

  it('ignores what is older than what it has', () => {
    expect(run([...opening, frame('snapshot', 5), frame('delta', 4)]).effects.slice(2)).toEqual(['ack 5', 'deliver'])
  })

  it('ends on another code (network 4)', () => {
    const { effects, state, stream } = run([...opening, frame('history', 1), frame('interface', 2, 204)])
    expect(effects.at(-1)).toBe('close')
    expect([state, stream.phase]).toEqual(['down', 'ended'])
    expect(run([{ type: 'resume' }], stream).effects).toEqual([])
  })

  it('reconnects after a close, and reports missed frames', () => {
    const closed = run([...opening, { type: 'closed', code: 1006 }])
    expect([closed.effects.at(-1), closed.state]).toEqual(['wait', 'down'])
    const back = run(opening, closed.stream)
    expect(back.effects).toEqual(['ask-ticket', 'open', 'missed'])
    expect(back.state).toBe('live')
  })

  it.each([
    [CLOSE.sessionEnded, 'ask-ticket'], // the request reveals the state of the session
    [CLOSE.silent, 'wait'],
    [CLOSE.tooOften, 'wait'],
    [CLOSE.removed, 'close'],
  ])('on close code %i: %s', (code, effect) => {
    expect(run([...opening, { type: 'closed', code }]).effects.at(-1)).toBe(effect)
  })

  it('asks at once only where the socket had shown something: a hub that lets nobody in is no loop', () => {
    const again = run([
      ...opening,
      frame('snapshot', 1),
      { type: 'closed', code: CLOSE.sessionEnded },
      ...opening.slice(1),
    ])
    expect(again.effects.slice(-3)).toEqual(['ask-ticket', 'open', 'missed'])
    const closed = run([{ type: 'closed', code: CLOSE.sessionEnded }], again.stream)
    expect([closed.effects.at(-1), closed.state]).toEqual(['wait', 'down'])
  })

  it('stops asking where a ticket is refused for good', () => {
    expect(run([{ type: 'resume' }, { type: 'refused', forGood: false }]).effects.at(-1)).toBe('wait')
    expect(run([{ type: 'resume' }, { type: 'refused', forGood: true }]).stream.phase).toBe('ended')
  })

  it('pings when idle and closes a half-open socket', () => {
    const { stream } = run(opening)
    expect(run([{ type: 'tick' }], stream, CONSOLE_SOCKET.pingMs - 1).effects).toEqual([])
    const pinged = run([{ type: 'tick' }], stream, CONSOLE_SOCKET.pingMs)
    expect(pinged.effects).toEqual(['ping'])
    expect(run([{ type: 'tick' }], pinged.stream, CONSOLE_SOCKET.receiveTimeoutMs + 1).effects).toEqual([
      'close',
      'wait',
    ])
    const answered = run([{ type: 'pong' }], pinged.stream, CONSOLE_SOCKET.pingMs + 50)
    expect(run([{ type: 'tick' }], answered.stream, CONSOLE_SOCKET.receiveTimeoutMs + 1).effects).toEqual([])
  })

  it('disconnects when hidden, without an error, and reconnects when visible', () => {
    const hidden = run([...opening, { type: 'pause' }])
    expect([hidden.effects.at(-1), hidden.state]).toEqual(['close', 'connecting'])
    expect(run([{ type: 'ticket' }, { type: 'opened' }], hidden.stream).effects).toEqual([]) // late answers
    expect(run(opening, hidden.stream).effects).toEqual(['ask-ticket', 'open', 'missed'])
  })

  it('waits ten seconds, spread by 30 % (network 9), then twice as long up to two minutes', () => {
    const first = TRAFFIC.reconnectMs
    expect([0, 0.5, 1].map((random) => reconnectDelayMs(1, random))).toEqual([0.7 * first, first, 1.3 * first])
    expect([1, 2, 3, 4, 5, 99].map((attempt) => reconnectDelayMs(attempt, 0.5) / 1000)).toEqual([
      10, 20, 40, 80, 120, 120,
    ])
  })
})

/** Waits in seconds that the events lead to. */
function waits(events: readonly StreamEvent[]): number[] {
  let stream = INITIAL
  return events.flatMap((event) => {
    const next = step(stream, event, 0, 0.5)
    stream = next.stream
    return next.effects.flatMap((effect) => (effect.type === 'wait' ? [effect.delayMs / 1000] : []))
  })
}

describe('the wait before a reconnect', () => {
  const refused: readonly StreamEvent[] = [{ type: 'resume' }, { type: 'refused', forGood: false }]
  const cut: StreamEvent = { type: 'closed', code: 1006 }

  it('doubles while tickets are refused and while sockets close before their first frame', () => {
    expect(waits([...refused, ...refused, ...opening, cut, ...opening, cut])).toEqual([10, 20, 40, 80])
  })

  it('is at least the one that the server asks for', () => {
    const asked = (waitMs: number): StreamEvent[] => [{ type: 'resume' }, { type: 'refused', forGood: false, waitMs }]
    expect(waits([...asked(25_000), ...asked(5_000), ...asked(5_000)])).toEqual([25, 20, 40])
  })

  it('that a busy service asked for is not cut short by a person who looks', () => {
    const { stream } = run([{ type: 'resume' }, { type: 'refused', forGood: false, waitMs: 25_000 }])
    expect(run([{ type: 'resume', isEarly: true }], stream, 24_999)).toMatchObject({
      effects: [],
      stream: { phase: 'waiting' },
    })
    expect(run([{ type: 'resume', isEarly: true }], stream, 25_000).effects).toEqual(['ask-ticket'])
    const own = run([{ type: 'resume' }, { type: 'refused', forGood: false }])
    expect(run([{ type: 'resume', isEarly: true }], own.stream).effects).toEqual(['ask-ticket'])
  })

  it('starts over once a frame has come', () => {
    expect(waits([...refused, ...refused, ...opening, frame('snapshot', 1), cut, ...refused])).toEqual([10, 20, 10, 20])
  })

  it('starts over where a person looks again after the tab was hidden', () => {
    expect(waits([...refused, ...refused, { type: 'resume' }, { type: 'pause' }, ...refused])).toEqual([10, 20, 10])
  })
})

const anyEvent: fc.Arbitrary<StreamEvent> = fc.oneof(
  fc.constantFrom<StreamEvent>(
    { type: 'resume' },
    { type: 'pause' },
    { type: 'ticket' },
    { type: 'opened' },
    { type: 'pong' },
    { type: 'tick' },
    { type: 'refused', forGood: false },
    { type: 'closed', code: 1006 },
  ),
  fc
    .tuple(fc.constantFrom('snapshot', 'delta', 'membership', 'account'), fc.nat(12))
    .map(([type, seq]) => frame(type, seq)),
)

it('never delivers a delta that does not follow what was shown', () => {
  const follows = fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
    let stream = INITIAL
    let shown: number | null = null // number of the state on the page; null when it must be read anew
    let holds = true
    for (const event of [...opening, ...events]) {
      const opens = event.type === 'opened' && stream.phase === 'opening'
      const { stream: next, effects } = step(stream, event, 0, 0.5)
      stream = next
      if (opens) shown = null
      if (event.type !== 'frame' || !effects.some(({ type }) => type === 'deliver')) continue
      const { seq, type } = event.frame
      holds &&= type !== 'delta' || shown === null || seq - shown <= 1
      shown = seq
    }
    return holds
  })
  expect(fc.check(follows).failed).toBe(false)
})

it('closes the socket when the browser goes offline, and reconnects when online', () => {
  const open = opening.reduce((stream, event) => step(stream, event, 0, 0.5).stream, INITIAL)
  const { stream, effects } = step(open, { type: 'offline' }, 0, 0.5)
  expect(liveState(stream)).toBe('down')
  expect(effects.map(({ type }) => type)).toEqual(['close', 'wait'])
  expect(step(stream, { type: 'resume', isEarly: true }, 0, 0.5).effects).toEqual([{ type: 'ask-ticket' }])
})
