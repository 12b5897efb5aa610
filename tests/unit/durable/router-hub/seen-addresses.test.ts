import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from '#contract/device/limits.ts'
import { deviceEndpoints } from '#domain/router/endpoints.ts'
import { nextDue, step } from '#durable/router-hub/state/machine.ts'
import type { RouterEvent } from '#durable/router-hub/state/machine-events.ts'
import { emptyOutbox } from '#durable/router-hub/state/outbox.ts'
import { type RouterState, blankRouter, unknownDevice, unknownRouter } from '#durable/router-hub/state/storage.ts'

const T0 = 1_800_000_000_000
const A = '8.8.8.1'
const B = '8.8.8.2'
const V6 = '2400:3200::1'

/** A centre's hub that nothing flushes: moves of its endpoints are counted and taken out. */
class Hub {
  state: RouterState
  moves = 0
  now = T0

  constructor(state: RouterState = { ...blankRouter, router: unknownRouter }) {
    this.state = state
  }

  connect(remoteHost: string, hello: object = {}): void {
    const identity = { accountId: 0, deviceId: 1, keyFingerprint: 'k', routerName: 'R', serial: 'R', tokenId: '' }
    this.emit({
      type: 'accepted',
      isTakeover: false,
      isResumed: false,
      identity: { ...identity, remoteHost, remotePort: 0 },
    })
    const frame = { t: 'hello', protocol: 2, serial: 'R', boot_id: '', agent_version: '', model: '', mac: '' } as const
    const facts = { capabilities: [], applied: null, interfaces: [], probe_port: 7000, ...hello }
    this.emit({ type: 'frame', spreadMs: 0, frame: { ...frame, ...facts } })
  }

  emit(event: RouterEvent): void {
    this.state = step(this.state, event, this.now).state
    if (this.state.outbox.endpointMoved) this.moves += 1
    this.state = { ...this.state, outbox: emptyOutbox }
  }

  pass(ms: number): void {
    this.now += ms
    this.emit({ type: 'due' })
  }

  get list() {
    const { reported, seen } = deviceEndpoints(this.state.device ?? unknownDevice)
    return [...reported, ...seen]
  }
}

describe('hubs.md, Endpoints · state of the hub', () => {
  it.each([
    [A, B],
    [A, V6],
  ])('50 reconnects from %s and %s in turn move nothing after the first', (one, other) => {
    const hub = new Hub()
    for (let n = 0; n < 50; n++) {
      hub.connect(n % 2 === 0 ? one : other)
      hub.pass(ENDPOINTS.steadyMs - 1)
    }
    expect([hub.moves, hub.list]).toEqual([1, [one]])
  })

  it('another address moves once after ten steady minutes, at the time that the alarm is set to', () => {
    const hub = new Hub()
    hub.connect(A)
    hub.connect(B)
    const due = nextDue(hub.state)
    expect(due).toBe(T0 + ENDPOINTS.steadyMs)
    hub.pass(300_000)
    hub.connect(B)
    hub.pass(due! - hub.now)
    expect([hub.moves, hub.list, nextDue(hub.state)]).toEqual([2, [B], null])
  })

  it('waits for a device that is away, which may come back elsewhere', () => {
    const hub = new Hub()
    hub.connect(A)
    hub.connect(B)
    hub.emit({ type: 'closed', epoch: hub.state.presence.epoch, reason: '' })
    hub.pass(ENDPOINTS.steadyMs)
    expect(hub.list).toEqual([A])
    hub.connect(A)
    hub.pass(ENDPOINTS.steadyMs)
    expect([hub.moves, hub.list]).toEqual([1, [A]])
  })

  it('a relay hides the address: what counted before remains', () => {
    const hub = new Hub()
    hub.connect(A)
    for (let n = 0; n < 3; n++) {
      hub.connect('')
      hub.pass(ENDPOINTS.steadyMs)
    }
    expect([hub.moves, hub.list]).toEqual([1, [A]])
    const hidden = new Hub()
    hidden.connect('')
    expect([hidden.moves, hidden.list]).toEqual([1, []]) // its port is known
  })

  it('what the device reports or its command line says moves at once', () => {
    const port = { interface: 'eth0', interface_uuid: '', protocol: 'dhcp', mask: 24, mac: '', mtu: 1500 } as const
    const wan = (ip: string) => [{ ...port, role: 'wan', up: true, ip }] as const
    const hub = new Hub()
    hub.connect(A, { interfaces: wan(A) })
    hub.emit({ type: 'frame', spreadMs: 0, frame: { t: 'interfaces', interfaces: [...wan(B)] } })
    expect([hub.moves, hub.list]).toEqual([2, [B, A]])
    hub.connect(A, { interfaces: wan(B), endpoints: ['vpn.a.cn'] })
    expect(hub.moves).toBe(3)
    hub.connect(A, { interfaces: wan(B) })
    expect(hub.moves).toBe(4)
  })

  it('of the release before moves nothing where the device has this one address', () => {
    const device = { ...unknownDevice, remoteHost: A, probePort: 7000 }
    const hub = new Hub({ ...blankRouter, router: unknownRouter, device })
    hub.connect(A)
    expect([hub.moves, hub.list]).toEqual([0, [A]])
    hub.connect(V6)
    expect([hub.moves, hub.list]).toEqual([0, [A]])
  })
})
