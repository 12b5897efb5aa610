import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isOnline, nextDue, step } from '#durable/router-hub/state/machine.ts'
import type { RouterEvent } from '#durable/router-hub/state/machine-events.ts'
import { isPending, withNotified, withSaved } from '#durable/router-hub/state/outbox.ts'
import { type RouterState, blankRouter, unknownRouter } from '#durable/router-hub/state/storage.ts'
import { isRepeatedByDevice } from '#durable/router-hub/state/state-change.ts'
import type { AgentFrame, HubFrame } from '#contract/kernel/protocol.ts'
import { CONFIG_PUSH } from '#contract/kernel/hub-limits.ts'

/**
 * Model of the hub's machine, an agent, and a network between them that loses, repeats and reorders frames.
 * A crash loses whatever the hub was about to send or to store, and every socket; what was stored stays.
 */
class Harness {
  now = 1_800_000_000_000
  hub: RouterState = blankRouter
  /** The state after a crash: changes that the device sends again are saved later. */
  stored: RouterState = blankRouter
  wanted = ''
  agent = { running: null as { version: number; hash: string } | null, floor: 0, connected: false }
  toAgent: HubFrame[] = []
  toHub: AgentFrame[] = []
  /** Connection log as the database would have it. */
  lines = new Set<string>()
  lastVersion = 0
  pushes = 0

  emit(event: RouterEvent, crash = false): void {
    const { state, effects } = step(this.hub, event, this.now)
    if (event.type !== 'frame' || !isRepeatedByDevice(this.hub, state)) this.stored = state
    this.hub = crash ? this.stored : state
    if (this.hub.config.version < this.lastVersion) throw new Error('a version fell')
    this.lastVersion = this.hub.config.version
    if (crash) return this.cut()
    for (const effect of effects) {
      if (effect.type === 'send') this.toAgent.push(effect.frame)
      if (effect.type === 'drop') this.cut()
      if (effect.type === 'push') {
        this.pushes += 1
        const { version, hash } = state.config
        this.toAgent.push({ t: 'config', version, hash, body: { router_name: 'r', networks: [] }, confirm_s: 120 })
      }
    }
  }

  edit(hash: string): void {
    this.wanted = hash
    this.emit({
      type: 'refreshed',
      router: { ...unknownRouter, accountId: 1, deviceId: 1, keyFingerprint: 'k', routerName: 'r' },
      enabled: true,
      hash,
      isEmpty: false,
      floor: 0,
      linkIds: new Set(),
    })
  }

  connect(): void {
    this.cut()
    this.emit({
      type: 'accepted',
      isTakeover: false,
      isResumed: false,
      identity: {
        accountId: 1,
        deviceId: 1,
        keyFingerprint: 'k',
        routerName: 'r',
        serial: 'r',
        remoteHost: '',
        remotePort: 0,
        tokenId: '',
      },
    })
    this.agent.connected = true
    this.toHub.push({
      t: 'hello',
      protocol: 1,
      serial: 'r',
      boot_id: 'b',
      agent_version: '1',
      model: '',
      mac: '',
      capabilities: [],
      applied: this.agent.running,
      interfaces: [],
      probe_port: 0,
    })
  }

  /** Disconnects; the hub detects it by a close, or by its lease. */
  cut(): void {
    this.agent.connected = false
    this.toAgent = []
    this.toHub = []
  }

  close(): void {
    this.cut()
    this.emit({ type: 'closed', epoch: this.hub.presence.epoch, reason: '' })
  }

  deliverToAgent(): void {
    const frame = this.toAgent.shift()
    if (frame?.t === 'welcome') this.agent.floor = frame.desired?.version ?? 0
    if (frame?.t !== 'config' || frame.version < this.agent.floor) return
    this.agent.floor = frame.version
    this.agent.running = { version: frame.version, hash: frame.hash }
    for (const state of ['received', 'applied', 'confirmed'] as const) {
      this.toHub.push({ t: 'config_result', version: frame.version, hash: frame.hash, state })
    }
  }

  deliverToHub(crash = false): void {
    const frame = this.toHub.shift()
    if (!frame || (frame.t !== 'hello' && !isOnline(this.hub))) return
    this.emit({ type: 'frame', frame, spreadMs: 45_000 }, crash)
  }

  report(): void {
    if (!this.agent.connected) return
    this.toHub.push({ t: 'counters', boot_id: 'b', at: this.now, applied: this.agent.running, interfaces: {} })
  }

  pass(seconds: number): void {
    this.now += seconds * 1000
    this.emit({ type: 'leaseChecked', lastReceivedAt: this.agent.connected ? this.now : null })
    this.emit({ type: 'due' })
  }

  /** The database saves the outbox; a repeated line is ignored. */
  drain(): void {
    const sent = this.hub.outbox
    for (const { epoch, online, at } of sent.logs) this.lines.add(`${epoch} ${online} ${at}`)
    this.hub = { ...this.hub, outbox: withNotified(withSaved(sent, sent, this.now), sent) }
    this.stored = this.hub
  }

  /** Quiescence: no more faults, all frames delivered, all due timers fired. */
  runUntilIdle(): void {
    this.connect()
    for (let i = 0; i < 40; i++) {
      while (this.toAgent.length + this.toHub.length > 0) {
        this.deliverToAgent()
        this.deliverToHub()
      }
      if (this.hub.config.state === 'unsynced') this.emit({ type: 'resend' })
      this.report()
      const due = nextDue(this.hub)
      this.pass(due === null ? 60 : Math.max(1, (due - this.now) / 1000))
    }
  }
}

const op = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c', 'd', 'e').map((hash) => (w: Harness) => w.edit(hash)) },
  { weight: 4, arbitrary: fc.constant((w: Harness) => w.deliverToAgent()) },
  { weight: 6, arbitrary: fc.constant((w: Harness) => w.deliverToHub()) },
  { weight: 2, arbitrary: fc.constant((w: Harness) => w.connect()) },
  { weight: 1, arbitrary: fc.constant((w: Harness) => w.close()) },
  { weight: 1, arbitrary: fc.constant((w: Harness) => w.cut()) },
  { weight: 1, arbitrary: fc.constant((w: Harness) => w.deliverToHub(true)) },
  { weight: 2, arbitrary: fc.constant((w: Harness) => w.report()) },
  { weight: 1, arbitrary: fc.constant((w: Harness) => w.drain()) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 200 }).map((seconds) => (w: Harness) => w.pass(seconds)) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('toAgent', 'toHub').chain((line) =>
      fc.constantFrom('lose', 'repeat', 'swap').map((fault) => (w: Harness) => {
        const frames = w[line] as unknown[]
        if (fault === 'lose') frames.shift()
        if (fault === 'repeat' && frames.length > 0) frames.push(frames[0])
        if (fault === 'swap' && frames.length > 1) frames.push(frames.shift())
      }),
    ),
  },
)

describe('configuration between hub and device', () => {
  it('converges to the newest document under any order of events', () => {
    fc.assert(
      fc.property(fc.array(op, { maxLength: 120 }), (script) => {
        const harness = new Harness()
        for (const act of script) act(harness)
        if (harness.wanted === '') harness.edit('a')
        harness.runUntilIdle()
        expect(harness.hub.config.state).toBe('applied')
        expect(harness.hub.config.hash).toBe(harness.wanted)
        expect(harness.agent.running?.hash).toBe(harness.wanted)
      }),
      { numRuns: 2_000 },
    )
  })

  it('writes each connect and disconnect to the log, exactly once', () => {
    fc.assert(
      fc.property(fc.array(op, { maxLength: 120 }), (script) => {
        const harness = new Harness()
        let expectedLines = 0
        for (const act of script) {
          const before = harness.hub.outbox.logs.length
          act(harness)
          expectedLines += Math.max(0, harness.hub.outbox.logs.length - before)
        }
        harness.drain()
        harness.drain()
        expect(isPending(harness.hub.outbox)).toBe(false)
        expect(harness.lines.size).toBe(expectedLines)
      }),
      { numRuns: 500 },
    )
  })

  it('pushes nothing to a device that has converged', () => {
    fc.assert(
      fc.property(fc.array(op, { maxLength: 60 }), (script) => {
        const harness = new Harness()
        for (const act of script) act(harness)
        harness.runUntilIdle()
        const { pushes } = harness
        for (let i = 0; i < 50; i++) {
          harness.report()
          harness.deliverToHub()
          harness.pass(300)
        }
        harness.connect()
        harness.deliverToHub()
        expect(harness.pushes).toBe(pushes)
      }),
      { numRuns: 300 },
    )
  })

  it('gives a device that never answers a bounded number of pushes', () => {
    const harness = new Harness()
    harness.edit('a')
    harness.connect()
    harness.deliverToHub()
    for (let i = 0; i < 100; i++) harness.pass(30)
    expect(harness.hub.config.state).toBe('unsynced')
    expect(harness.pushes).toBe(1 + CONFIG_PUSH.automaticTries)
  })
})
