import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RouterDocument } from '#contract/device/document.ts'
import { CASES } from '../support/tunnel-documents.ts'
import { center, centerNetwork, point, pointNetwork } from '../support/tunnel-parts.ts'
import { Authority } from './support/authority.ts'
import { Device, connectDevices } from './support/bed.ts'
import { canRunTunnels } from './support/real-tools.ts'

/** The agent's program with the driver `linux`, whose hub is away: documents come from its disk. */
const canRun = canRunTunnels('the agent runs no tunnels')

const LIMIT = { timeout: 30_000, interval: 100 }
const MAIN = 'infra/agent/main.ts'

describe.skipIf(!canRun)('the agent with the driver linux', { timeout: 180_000 }, () => {
  let authority: Authority
  let a: Device
  let p: Device
  const agents: ChildProcess[] = []
  beforeEach(() => {
    authority = new Authority()
    a = new Device('aa')
    p = new Device('ap')
    connectDevices(a, '203.0.113.10/24', p, '203.0.113.31/24')
  })
  afterEach(async () => {
    for (const agent of agents.splice(0)) agent.kill('SIGKILL')
    await p.remove()
    await a.remove()
    authority.remove()
  })

  /** Leaves a device as a reboot finds it: with its key and its confirmed document. */
  function store(device: Device, serial: string, document: RouterDocument, key: string): void {
    mkdirSync(join(device.state, 'keys'), { mode: 0o700 })
    writeFileSync(join(device.state, 'keys/router.key'), key, { mode: 0o600 })
    const confirmed = { version: 1, hash: 'a'.repeat(64), body: document }
    writeFileSync(join(device.state, 'config.json'), JSON.stringify({ confirmed, unreported: null }), { mode: 0o600 })
    device.serial = serial
  }

  function inNamespace(device: Device, ...args: string[]): ChildProcess {
    return spawn('ip', ['netns', 'exec', device.namespace, process.execPath, MAIN, ...args], { stdio: 'pipe' })
  }
  const options = ({ serial, state, run }: Device) => [
    '--server=http://127.0.0.1:1',
    `--serial=${serial}`,
    `--state=${state}`,
    '--driver=linux',
    '--wan=wan0',
    `--run=${run}`,
  ]
  function start(device: Device): ChildProcess {
    const agent = inNamespace(device, ...options(device))
    agent.stdout?.on('data', (data: Buffer) => device.log.push(data.toString()))
    agent.stderr?.on('data', (data: Buffer) => device.log.push(data.toString()))
    agents.push(agent)
    return agent
  }
  async function end(agent: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    const ended = once(agent, 'exit')
    agent.kill(signal)
    await ended
  }
  async function output(child: ChildProcess): Promise<{ code: number | null; text: string }> {
    let text = ''
    child.stdout?.on('data', (data: Buffer) => (text += data.toString()))
    child.stderr?.on('data', (data: Buffer) => (text += data.toString()))
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, text }
  }

  it('comes up from its disk, leaves everything running when it ends, and takes it off by `down`', async () => {
    const [forA, forP] = [authority.issue('NL-A', 'both'), authority.issue('NL-P1')]
    store(a, 'NL-A', authority.equip(center(centerNetwork()), forA.certificate), forA.key)
    store(p, 'NL-P1', authority.equip(point(pointNetwork()), forP.certificate), forP.key)
    const first = start(a)
    start(p)
    await vi.waitFor(() => expect(p.reaches('100.64.0.1')).toBe(true), LIMIT)

    await end(first, 'SIGTERM')
    const pids = a.pids()
    expect(Object.keys(pids)).toEqual(['ov1r', 'ov1s'])
    expect(p.reaches('100.64.0.1')).toBe(true)
    const starts = () => a.log.join('').match(/starting, version/g)?.length
    const second = start(a)
    await vi.waitFor(() => expect(starts()).toBe(2), LIMIT)
    await end(second, 'SIGKILL')
    expect(p.reaches('100.64.0.1')).toBe(true)
    expect(a.pids()).toEqual(pids)

    const running = start(a)
    await vi.waitFor(() => expect(starts()).toBe(3), LIMIT)
    await vi.waitFor(async () => {
      const refused = await output(inNamespace(a, 'down', '--state', a.state, '--run', a.run))
      expect(refused).toMatchObject({ code: 1, text: expect.stringContaining('another agent runs') })
    }, LIMIT)
    await end(running, 'SIGTERM')
    const down = await output(inNamespace(a, 'down', '--state', a.state, '--run', a.run))
    expect(down).toMatchObject({ code: 0, text: expect.stringContaining('are off') })
    expect(existsSync(a.run)).toBe(false)
    expect(a.exec('ip', '-br', 'link')).not.toContain('ov')
    expect(a.exec('ip', '-br', 'link')).toContain('wan0')
    expect(a.exec('nft', 'list', 'tables')).toBe('')
    expect(a.exec('ip', 'rule')).toMatch(/^0:.*\n32766:.*\n32767:.*\n$/)
    expect(a.pids()).toEqual({})
  })

  it('runs as a POP node with --pop alone, and is taken off by the same `down`', async () => {
    const node = new Device('an', 'node')
    try {
      const { key, certificate } = authority.issue('POP-1', 'gateway')
      store(node, 'POP-1', authority.equip(CASES['pop-node']!, certificate), key)
      const agent = inNamespace(node, ...options(node), '--pop')
      agents.push(agent)
      const pidOf = (name: string) => node.allPids()[name] ?? 0
      await vi.waitFor(() => expect(pidOf('bfdd-2')).toBeGreaterThan(0), LIMIT)
      const inside = () =>
        spawnSync('nsenter', [`--net=/proc/${pidOf('place-2')}/ns/net`, '--', 'ip', '-br', 'addr'], {
          encoding: 'utf8',
        })
      await vi.waitFor(() => expect(inside().stdout).toMatch(/^ov2r .* 100\.65\.16\.1\/20 /m), LIMIT)
      await end(agent, 'SIGTERM')

      const wrong = await output(inNamespace(node, ...options(node)))
      expect(wrong).toMatchObject({ code: 1, text: expect.stringContaining('networks of a POP node run here') })
      expect(pidOf('ov2r')).toBeGreaterThan(0)
      const down = await output(inNamespace(node, 'down', '--state', node.state, '--run', node.run))
      expect(down).toMatchObject({ code: 0, text: expect.stringContaining('are off') })
      expect([node.allPids(), node.exec('nft', 'list', 'tables'), existsSync(node.run)]).toEqual([{}, '', false])
    } finally {
      await node.remove()
    }
  })

  it('ends with a line for each cause before anything is touched', async () => {
    a.serial = 'NL-A'
    const state = join(a.state, 's'.repeat(100))
    const refused = await output(
      inNamespace(
        a,
        '--server',
        'http://127.0.0.1:1',
        '--serial',
        'NL-A',
        '--state',
        state,
        '--driver',
        'linux',
        '--wan',
        'wan0',
        '--run',
        '/root/x',
      ),
    )
    expect(refused.code).toBe(2)
    expect(refused.text.split('\n')).toEqual([
      expect.stringMatching(/^--state: the path of a socket would have \d+ bytes, and 107 are possible$/),
      '--run: processes without privileges cannot enter /root',
      '',
    ])
    const asNobody = spawn(
      'setpriv',
      ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, MAIN, ...options(a)],
      { stdio: 'pipe' },
    )
    expect(await output(asNobody)).toMatchObject({ code: 2, text: expect.stringMatching(/^not root: /) })
    expect(readdirSync(a.state)).toEqual([])
  })

  it('prints its unit', async () => {
    a.serial = 'NL-A'
    const unit = await output(inNamespace(a, 'unit', ...options(a)))
    const start = /^ExecStart=\S+ --max-semi-space-size=1 \/\S+main\.ts --server=http:\/\/127\.0\.0\.1:1 /m
    expect(unit).toMatchObject({ code: 0, text: expect.stringMatching(start) })
    const files = await output(
      inNamespace(a, 'unit', '--server', 'http://127.0.0.1:1', '--serial', 'x', '--state', a.state),
    )
    expect(files.code).toBe(2)
  })
})
