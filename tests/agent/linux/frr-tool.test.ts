import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RouterDocument } from '#contract/device/document.ts'
import { configureDaemon, queryDaemon } from '#infra/agent/drivers/linux/frr/vty.ts'
import { missingTools } from '#infra/local/network-tools.ts'
import { Namespaces, type ToolHost, ip } from '../support/namespaces.ts'
import { CASES } from '../support/tunnel-documents.ts'
import { PASS, center, centerNetwork, point, pointNetwork, routed } from '../support/tunnel-parts.ts'
import { hasNamespaces } from './support/real-tools.ts'

/** FRR of a centre and a point in network namespaces, with a veth as their tunnel. */
const missing = missingTools()
const canRun = missing.length === 0 && hasNamespaces
if (!canRun) console.log(`skipped: sessions of FRR (${missing.join(', ') || 'root and network namespaces'} needed)`)

const FRR = ['frr']
const POINT = CASES['point']!
const CENTER = CASES['center']!

describe.skipIf(!canRun)('FRR of two routers', () => {
  let folder: string
  let spaces: Namespaces
  let a: string
  let p: string
  let atCenter: ToolHost
  let atPoint: ToolHost
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nl-frr-'))
    await chmod(folder, 0o711)
    spaces = new Namespaces()
    a = spaces.add('a')
    p = spaces.add('p')
    spaces.connect([p, 'ov1c1', '100.64.0.21/20'], [a, 'ov1r', '100.64.0.1/20'])
    atCenter = spaces.openHost(a, join(folder, 'a'))
    atPoint = spaces.openHost(p, join(folder, 'p'))
  })
  afterEach(async () => {
    spaces.remove()
    await rm(folder, { recursive: true, force: true })
  })

  const routes = (space: string): string[] => {
    const listed = spawnSync('ip', ['-n', space, 'route', 'show', 'table', '200'], { encoding: 'utf8' }).stdout
    return listed.split('\n').flatMap((line) => line.split(' ')[0] || [])
  }
  const poll = (check: () => unknown, timeout = 30_000) => vi.waitFor(check, { timeout, interval: 200 })
  /** Number of times that the session was established. */
  const sessions = async () => {
    const answer = await queryDaemon(join(folder, 'a/run/frr/bgpd.vty'), 'show bgp summary json')
    return JSON.parse(answer).ipv4Unicast.peers['100.64.0.21'].connectionsEstablished as number
  }
  async function start(): Promise<void> {
    expect(await atCenter.apply(CENTER, FRR)).toMatchObject({ unsettled: [] })
    expect(await atPoint.apply(POINT, FRR)).toMatchObject({ unsettled: [] })
    await poll(async () => expect(await atPoint.ask({ peers: true })).toEqual({ peers: ['100.64.0.1'] }))
    await poll(() => expect([routes(a), routes(p)]).toEqual([['10.13.1.0/24'], ['10.12.0.0/24', '100.64.16.0/20']]))
  }

  it('routes are in a table of their own, and a repeated document changes nothing', async () => {
    const before = [a, p].map((space) => ip('-n', space, 'route', 'show'))
    await start()
    expect(await atPoint.ask({ peers: true })).toEqual({ peers: ['100.64.0.1'] })
    expect(await atCenter.apply(CENTER, FRR)).toEqual({ steps: [], unsettled: [] })
    expect([a, p].map((space) => ip('-n', space, 'route', 'show'))).toEqual(before)
  })

  it('a chosen route stands in BGP while the kernel has lost it', async () => {
    await start()
    const chosen = ['10.12.0.0/24', '100.64.16.0/20'].map((prefix) => ({ prefix, peer: '100.64.0.1' }))
    expect(await atPoint.ask({ chosen: true })).toEqual({ chosen })
    const { pids } = (await atPoint.ask({})) as { pids: Record<string, number> }
    process.kill(pids['zebra']!, 'SIGSTOP') // it puts the route back
    try {
      ip('-n', p, 'route', 'del', '10.12.0.0/24', 'table', '200')
      expect(await atPoint.ask({ chosen: true })).toEqual({ chosen })
      expect(routes(p)).toEqual(['100.64.16.0/20'])
    } finally {
      process.kill(pids['zebra']!, 'SIGCONT')
    }
    expect(await atCenter.ask({ chosen: true })).toEqual({ chosen: [{ prefix: '10.13.1.0/24', peer: '100.64.0.21' }] })
  })

  it('a session that is cleared begins anew, and comes back', async () => {
    await start()
    const before = await sessions()
    expect(await atPoint.ask({ clear: ['100.64.0.1'] })).toEqual({})
    await poll(async () => expect(await sessions()).toBeGreaterThan(before))
    await poll(async () => expect(await atPoint.ask({ peers: true })).toEqual({ peers: ['100.64.0.1'] }))
  })

  it('a row works on routes that are there, without an end of the session', async () => {
    await start()
    const rows = (permit: boolean) => [{ permit, prefix: '10.13.0.0/16', ge: null, le: 32 }]
    const withRows = (permit: boolean): RouterDocument => center(centerNetwork(routed({ rows: rows(permit) })))
    const before = await sessions()
    const step = { tool: 'frr', phase: 'join', networks: ['N1'] }
    expect(await atCenter.apply(withRows(false), FRR)).toEqual({ steps: [step], unsettled: [] })
    await poll(() => expect(routes(a)).toEqual([]), 3_000)
    await atCenter.apply(withRows(true), FRR)
    await poll(() => expect(routes(a)).toEqual(['10.13.1.0/24']), 3_000)
    // and on what it announces
    await atPoint.apply({ ...POINT, lans: [{ segment: '10.13.7.0/24', via: null }] }, FRR)
    await poll(() => expect(routes(a)).toEqual([]), 3_000)
    expect(await sessions()).toBe(before)
  })

  it('a prefix that a peer announced before its centre knew it is taken once the centre knows it', async () => {
    await start()
    await atPoint.apply({ ...POINT, lans: [{ segment: '10.13.7.0/24', via: null }] }, FRR)
    await poll(() => expect(routes(a)).toEqual([]))
    const before = await sessions()
    const [link, ...others] = centerNetwork().links
    const links = [{ ...link!, peer_prefixes: ['10.13.7.0/24'] }, ...others]
    expect(await atCenter.apply(center(centerNetwork({ links })), FRR)).toMatchObject({ unsettled: [] })
    await poll(() => expect(routes(a)).toEqual(['10.13.7.0/24']), 3_000)
    expect(await atCenter.apply(CENTER, FRR)).toMatchObject({ unsettled: [] })
    await poll(() => expect(routes(a)).toEqual([]), 3_000)
    expect(await sessions()).toBe(before)
  })

  it('a member that leaves is cut before its tunnel, and the last network takes the daemons off', async () => {
    await start()
    const [, other] = centerNetwork().links
    const left = await atCenter.apply(center(centerNetwork({ links: [other!] })), FRR)
    expect(left.steps?.map(({ phase, networks }) => [phase, networks])).toEqual([
      ['leave', ['N1']],
      ['join', ['N1']],
    ])
    await poll(() => expect([routes(a), routes(p)]).toEqual([[], []]))
    const stop = { tool: 'frr', phase: 'stop', networks: [] }
    expect(await atCenter.apply(null, FRR)).toEqual({ steps: [stop], unsettled: [] })
    expect((await atCenter.ask({})).pids).toEqual({})
  })

  it('a change that bgpd does not take is refused with its line, and what runs stays', async () => {
    await start()
    const rows = [{ permit: true, prefix: '10.0.0.0/16', ge: 8, le: null }]
    expect(await atCenter.apply(center(centerNetwork({ routing: { ...PASS, rows } })), FRR)).toEqual({
      failure: {
        reason: '配置校验失败：本设备的路由程序不接受配置',
        log: expect.stringMatching(/^ip prefix-list ROWS-1 seq 5 permit 10\.0\.0\.0\/16 ge 8: /),
      },
    })
    expect(routes(a)).toEqual(['10.13.1.0/24'])
  })

  it('a killed daemon is back with its configuration; zebra keeps the routes', async () => {
    await start()
    const { pids } = await atPoint.ask({})
    const missingMs: Record<string, number> = {}
    for (const daemon of ['bgpd', 'zebra', 'bfdd']) {
      process.kill(pids![daemon]!, 'SIGKILL')
      const from = performance.now()
      let lost = from
      const isBack = async () => {
        const now = performance.now()
        if (routes(p).length < 2) lost = now
        const { pids: after, peers } = { ...(await atPoint.ask({})), ...(await atPoint.ask({ peers: true })) }
        expect([after?.[daemon] !== pids![daemon] && after?.[daemon] !== undefined, peers]).toEqual([
          true,
          ['100.64.0.1'],
        ])
        expect([routes(a), routes(p)]).toEqual([['10.13.1.0/24'], ['10.12.0.0/24', '100.64.16.0/20']])
        expect(now - lost).toBeGreaterThan(1_500)
      }
      await poll(isBack)
      missingMs[daemon] = Math.round(lost - from)
    }
    console.log('routes of the point missing, ms after the kill:', JSON.stringify(missingMs))
    expect(await atPoint.apply(POINT, FRR)).toEqual({ steps: [], unsettled: [] })
  })

  it('the agent ends and another one adopts the daemons; it repairs what somebody typed', async () => {
    await start()
    const { pids } = await atPoint.ask({})
    atPoint.kill()
    const next = spaces.openHost(p, join(folder, 'p'))
    expect(await next.apply(POINT, FRR)).toEqual({ steps: [], unsettled: [] })
    expect((await next.ask({})).pids).toEqual(pids)
    await next.apply(point(pointNetwork(routed({ default: { mode: 'receive', metric: null } }))), FRR)
    const socket = join(folder, 'p/run/frr/bgpd.vty')
    await configureDaemon(socket, [
      'ip prefix-list FOREIGN seq 5 permit any',
      'router bgp 4200000021',
      'neighbor 10.9.9.9 remote-as 7',
    ])
    expect(await next.apply(POINT, FRR)).toMatchObject({ unsettled: [] })
    const running = await queryDaemon(socket, 'show running-config')
    expect(running).not.toMatch(/FOREIGN|10\.9\.9\.9|local-preference 270/)
    expect((await next.ask({})).pids).toEqual(pids)
  })
})
