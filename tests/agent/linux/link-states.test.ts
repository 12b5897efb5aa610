import { describe, expect, it } from 'vitest'
import type { LinkReport } from '#contract/kernel/protocol.ts'
import { LINK_REASON, type LinkState, linkStates } from '#infra/agent/drivers/linux/link-states.ts'
import { TunnelProbe } from '#infra/agent/drivers/linux/tunnel-probe.ts'
import type { LinkEnd } from '#infra/agent/probe/prober.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { access, center, centerNetwork, pair, point, pointNetwork, twin } from '../support/tunnel-parts.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { renderingOf, withKeys } from './support/renderings.ts'

const SESSION = { cipher: 'SM4-CBC', remote: '203.0.113.31:34717' }
const up = (...clients: string[]) => ({
  isUp: true,
  remote: '',
  peer: null,
  clients: () => new Map(clients.map((name) => [name, SESSION])),
  hasRevoked: () => false,
})
const toState = (reason: string | null) => ({ isUp: reason === null, tunnel: reason === null ? {} : { reason } })
const sources = {
  tunnel: () => up(),
  exhausted: new Set<string>(),
  waiting: [] as string[],
  established: new Set<string>(),
}
const POINT = 'N1:NL-P1>NL-A'

describe('state of a link', () => {
  const served = renderingOf(withKeys(center(centerNetwork({ links: [access('N1', 1, 'A').server, twin('server')] }))))
  const dialling = renderingOf(withKeys(point(pointNetwork())))

  it('at a server is up with a session of the peer and its routes', () => {
    const states = linkStates(served, {
      ...sources,
      tunnel: (device) => up(...(device === 'ov1r' ? ['NL-P1'] : [])),
      established: new Set(['100.64.0.21', '100.127.0.2']),
    })
    expect([...states]).toEqual([
      [POINT, { isUp: true, tunnel: SESSION }],
      ['N1:NL-B>NL-A', toState(LINK_REASON.noClient)],
    ])
  })

  it('at a server that has refused the peer by its revocation list says so', () => {
    const reasonWith = (revoked: string, ...clients: string[]) => {
      const tunnel = () => ({ ...up(...clients), hasRevoked: (name: string) => name === revoked })
      return linkStates(served, { ...sources, tunnel, established: null }).get(POINT)?.tunnel.reason
    }
    expect(reasonWith('NL-P1')).toBe('证书已吊销')
    expect([reasonWith('NL-P9'), reasonWith('NL-P1', 'NL-P1')]).toEqual([LINK_REASON.noClient, undefined])
  })

  const stateOf = (over: object) => linkStates(dialling, { ...sources, ...over }).get(POINT)
  it.each([
    ['with its tunnel and session', { established: new Set(['100.64.0.1']) }, null],
    ['with its tunnel, where no daemon answers', { established: null }, null],
    ['with its tunnel alone', {}, LINK_REASON.noSession],
    ['without its tunnel', { tunnel: () => ({ ...up(), isUp: false }) }, LINK_REASON.noAnswer],
    ['without its process', { tunnel: () => null }, LINK_REASON.noAnswer],
    ['with a process that gave up', { exhausted: new Set(['ov1c1']) }, LINK_REASON.exhausted],
    ['before it has a certificate', { waiting: ['N1'] }, LINK_REASON.noCertificate],
  ])('at a client %s', (_, over, reason) => {
    expect(stateOf(over)).toEqual(toState(reason))
  })

  it('of a client names the server that it is connected to, where it has several targets', () => {
    const { client } = access('N1', 1, 'A')
    const withTargets = (...hosts: string[]) =>
      renderingOf(
        withKeys(point(pointNetwork({}, [{ ...client, remotes: hosts.map((host) => ({ host, port: 20_000 })) }]))),
      )
    const stateWith = (hosts: string[], over: object = {}) =>
      linkStates(withTargets(...hosts), {
        ...sources,
        tunnel: () => ({ ...up(), remote: '203.0.113.11:20000', ...over }),
        established: null,
      }).get(POINT)
    const several = ['203.0.113.10', 'vpn.example.com']
    expect(stateWith(several)).toEqual({ isUp: true, tunnel: {}, remote: '203.0.113.11:20000' })
    expect(stateWith(several, { isUp: false })).toEqual(toState(LINK_REASON.noAnswer))
    expect(stateWith(['203.0.113.10'])).toEqual({ isUp: true, tunnel: {} })
    const text = [...withTargets('203.0.113.10', '2400:3200::1', 'vpn.example.com').files].join()
    expect(text).toContain('remote 203.0.113.10 20000 udp4\nremote vpn.example.com 20000 udp4\n')
  })

  it('of a point link is up at both ends with its tunnel, and each end names the other', async () => {
    const offenders = await findOffenders(['server', 'client'] as const)((role) => {
      const link = pair(role)
      const rendering = renderingOf(withKeys(point(pointNetwork({}, [link]))))
      const stateWith = (tunnel: object, established = [link.remote_ip]) =>
        linkStates(rendering, {
          ...sources,
          tunnel: () => ({ ...up(), ...tunnel }),
          established: new Set(established as string[]),
        }).get(link.id)
      expect(stateWith({ peer: SESSION })).toEqual({ isUp: true, tunnel: SESSION })
      expect(stateWith({})).toEqual({ isUp: true, tunnel: {} })
      expect(stateWith({ peer: SESSION }, [])).toEqual(toState(LINK_REASON.noSession))
      expect(stateWith({ isUp: false })).toEqual(toState(LINK_REASON.noAnswer))
    })
    expect(offenders).toEqual([])
  })

  it('without a known address says so', () => {
    const rendering = renderingOf(withKeys(point(pointNetwork({}, [{ ...access('N1', 1, 'A').client, remotes: [] }]))))
    expect(linkStates(rendering, sources).get(POINT)).toEqual(toState(LINK_REASON.noAddress))
  })
})

describe('reports of links in tunnels', () => {
  const end = (id: string, carrier: 'tunnel' | 'probe') => ({ ...access('N1', 1, 'A').client, id, carrier }) as LinkEnd
  const own = end(POINT, 'tunnel')
  const probed = end('N1:NL-P1>NL-B', 'probe')

  function start() {
    const clock = new FakeClock()
    let states = new Map<string, LinkState>()
    let listener = () => {}
    let probeChanged: (reports: LinkReport[]) => void = () => {}
    const rtts: LinkReport[] = [
      { id: POINT, up: false, rtt_ms: 7 },
      { id: probed.id, up: true, rtt_ms: 9 },
    ]
    const restarted: string[] = []
    let reads = 0
    const prober = {
      port: 1,
      reports: () => rtts,
      takeSums: () => new Map(),
      watch: (_: string, __: readonly LinkEnd[], changed: typeof probeChanged) => void (probeChanged = changed),
      disconnect: async (_: string, ids: readonly string[]) => ids,
      async restart(_: string, ids: readonly string[]) {
        restarted.push(...ids)
        return ids
      },
    }
    const probe = new TunnelProbe({
      prober,
      clock,
      async readStates() {
        reads += 1
        return states
      },
      onChange: (each) => void (listener = each),
      disconnect: async () => [],
      async restart(ends) {
        restarted.push(...ends.map(({ id }) => `tunnel ${id}`))
        return ends.map(({ id }) => id)
      },
    })
    const changes: [string, boolean][] = []
    probe.watch('NL-P1', [own, probed], (reports) =>
      changes.push(...reports.map(({ id, up: isUp }) => [id, isUp] as [string, boolean])),
    )
    return {
      probe,
      clock,
      changes,
      restarted,
      reads: () => reads,
      /** The probe knows a loss and a round trip time from now on. */
      measure: (loss: number, rtt_ms: number) => void (rtts[0] = { id: POINT, up: true, rtt_ms, tunnel: { loss } }),
      probeChanged: () => probeChanged(rtts),
      set: (isUp: boolean, reason: string | null = null) => {
        states = new Map([[POINT, { isUp, tunnel: reason === null ? {} : { reason } }]])
        listener()
      },
    }
  }

  it('come from the tunnel with the round trip time of the probe; others from the probe alone', async () => {
    const { probe, clock, changes, set, probeChanged } = start()
    set(true)
    await clock.advance(200)
    expect(changes).toEqual([[POINT, true]])
    expect(probe.reports('NL-P1')).toEqual([
      { id: probed.id, up: true, rtt_ms: 9 },
      { id: POINT, up: true, rtt_ms: 7, tunnel: {} },
    ])
    probeChanged()
    expect(changes.slice(1)).toEqual([[probed.id, true]])
    set(false, LINK_REASON.noAnswer)
    await clock.advance(200)
    expect(changes.at(-1)).toEqual([POINT, false])
    expect(probe.reports('NL-P1').at(-1)).toEqual({
      id: POINT,
      up: false,
      rtt_ms: null,
      tunnel: { reason: LINK_REASON.noAnswer },
    })
  })

  it('do not say down while the tunnel may be connecting', async () => {
    const { clock, changes, set, probe } = start()
    set(false, LINK_REASON.noAnswer)
    await clock.advance(4_500)
    expect(changes).toEqual([])
    expect(probe.reports('NL-P1').map(({ id }) => id)).toEqual([probed.id])
    await clock.advance(1_000)
    expect(changes).toEqual([[POINT, false]])
  })

  it('come once more with the first loss that is known, and the latency of then; later with a loss that is another', async () => {
    const { clock, set, changes, measure, probe } = start()
    set(true)
    await clock.advance(5_000)
    measure(0, 2)
    await clock.advance(20_000)
    expect(changes).toHaveLength(2)
    expect(probe.reports('NL-P1').at(-1)).toEqual({ id: POINT, up: true, rtt_ms: 2, tunnel: { loss: 0 } })
    measure(15, 2)
    await clock.advance(2_000)
    measure(20, 3)
    await clock.advance(20_000)
    expect(changes).toHaveLength(3)
  })

  it('read the states once for many changes', async () => {
    const { clock, set, reads } = start()
    await clock.advance(0)
    const before = reads()
    for (let change = 0; change < 300; change += 1) set(true)
    await clock.advance(200)
    expect(reads() - before).toBe(1)
  })

  it('a restart is that of the tunnel, or of the probe', async () => {
    const { probe, restarted } = start()
    expect(await probe.restart('NL-P1', [POINT, probed.id])).toEqual([POINT, probed.id])
    expect(restarted).toEqual([`tunnel ${POINT}`, probed.id])
  })
})
