import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CLIENT_ERRORS } from '#contract/client/errors.ts'
import { toStaticKey } from '#domain/client/static-key.ts'
import { NETWORK_TOOLS } from '#infra/local/network-tools.ts'
import { profileText } from '#outside/client-profile/openvpn.ts'
import { SERVICES, center, centerNetwork } from '../support/tunnel-parts.ts'
import { Authority } from './support/authority.ts'
import { Device, connectDevices } from './support/bed.ts'
import { endChild } from './support/child.ts'
import { canRunTunnels } from './support/real-tools.ts'

/** A stock OpenVPN with the file of a profile, and nothing else of ours, dials a centre in another network namespace. */
const canRun = canRunTunnels('no profile is dialled')

const LIMIT = { timeout: 20_000, interval: 100 }
const ENDED_MS = 2_000
const [member] = SERVICES[1]!.accounts
const DONE = 'Initialization Sequence Completed'

class Stock {
  private readonly folder = mkdtempSync(join(tmpdir(), 'nlx-profile-'))
  private readonly child: ChildProcess
  output = ''

  constructor(namespace: string, text: string) {
    const file = join(this.folder, 'profile.ovpn')
    writeFileSync(file, text, { mode: 0o600 })
    this.child = spawn('ip', ['netns', 'exec', namespace, NETWORK_TOOLS.openvpn, '--config', file])
    this.child.stdout!.on('data', (data: Buffer) => (this.output += data.toString()))
  }

  get isOver(): boolean {
    return this.child.exitCode !== null
  }

  connections = (): number => this.output.split(DONE).length - 1

  waitForConnection = (count: number) => this.waitFor(DONE, count)

  /** Waits until the log has a text so many times. */
  waitFor = (text: string, count = 1) =>
    vi.waitFor(() => {
      if (this.output.split(text).length <= count) throw new Error(`not ${count} times “${text}”:\n${this.output}`)
    }, LIMIT)

  /** Addresses that it has dialled, in their order. */
  dialled = (): readonly string[] => [...this.output.matchAll(/link remote: \[AF_INET\]([\d.]+)/g)].map(([, ip]) => ip!)

  /** Connects anew with what it has in memory. */
  restart = () => this.child.kill('SIGUSR1')

  async stop(): Promise<void> {
    await endChild(this.child)
    rmSync(this.folder, { recursive: true, force: true })
  }
}

describe.skipIf(!canRun)('a stock OpenVPN with the file of a profile', { timeout: 120_000 }, () => {
  let authority: Authority
  let a: Device
  let place: Device
  let certificate = ''
  const clients: Stock[] = []
  const apply = () => a.apply(authority.equip(center(centerNetwork({ servers: SERVICES })), certificate))
  const open = (token = 'file~token', hosts: readonly string[] = ['203.0.113.10']) => {
    const servers = [
      {
        kind: 'center' as const,
        router_name: 'NL-A',
        proto: 'udp' as const,
        remotes: hosts.map((host) => ({ host, port: SERVICES[1]!.port })),
        fixed: 1 as const,
        segment: '',
        gateway: '',
        ip: '',
        routes: [],
      },
    ]
    const keys = { ca: authority.certificate, control: toStaticKey('5a'.repeat(256)), name: member!.name, token }
    const client = new Stock(place.namespace, profileText({ ciphers: 'default', servers }, keys))
    clients.push(client)
    return client
  }
  const askedFor = async () =>
    (await a.asked()).map(({ renewed, secret, profile }) => [renewed, renewed || secret, profile])

  beforeEach(async () => {
    authority = new Authority()
    const keys = authority.issue('NL-A', 'gateway')
    certificate = keys.certificate
    a = new Device('a')
    place = new Device('c')
    connectDevices(a, '203.0.113.10/24', place, '203.0.113.40/24')
    mkdirSync(join(a.state, 'keys'), { mode: 0o700 })
    writeFileSync(join(a.state, 'keys/router.key'), keys.key, { mode: 0o600 })
    a.start()
    await apply()
    const before = new Date(Date.now() - 60_000) // sessions are older than an entry of the same second
    utimesSync(join(a.run, 'ccd/ov1s', member!.name), before, before)
    await a.admitAs({ 'file~token': 7 })
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(a.logs(), clients.map(({ output }) => output).join('\n--\n'))
    for (const client of clients.splice(0)) await client.stop()
    await place.remove()
    await a.remove()
    authority.remove()
  })

  it('connects, and a renewed session is that of its profile', async () => {
    const client = open()
    await client.waitForConnection(1)
    expect(place.reaches(SERVICES[1]!.ip)).toBe(true)
    client.restart()
    await client.waitForConnection(2)
    expect(await askedFor()).toEqual([
      [false, 'file~token', null],
      [true, true, 7],
    ])
    expect(client.output).not.toContain('file~token')
  })

  it('a revoked profile is out within two seconds, and stays out', async () => {
    const client = open()
    await client.waitForConnection(1)
    await a.endDial('N1', member!.name, true, 8)
    expect(place.reaches(SERVICES[1]!.ip)).toBe(true) // another profile of the member
    await a.refuse({ 'file~token': 'DIAL_PROFILE_OVER' })
    const at = Date.now()
    await a.endDial('N1', member!.name, true, 7)
    await vi.waitFor(() => expect(client.isOver).toBe(true), { timeout: ENDED_MS, interval: 20 })
    expect(Date.now() - at).toBeLessThan(ENDED_MS)
    const again = open()
    await vi.waitFor(() => expect(again.isOver).toBe(true), LIMIT)
    expect(again.connections()).toBe(0)
  })

  it('a session that nobody knows any more comes back by the token in its file', async () => {
    const client = open()
    await client.waitForConnection(1)
    await a.kill()
    rmSync(join(a.state, 'dial-sessions.json'), { force: true })
    a.start()
    await apply()
    await a.admitAs({ 'file~token': 7 })
    client.restart()
    await client.waitForConnection(2)
    expect(await askedFor()).toEqual([[false, 'file~token', null]])
  })

  it('the device remembers sessions over a crash of the agent', async () => {
    const client = open()
    await client.waitForConnection(1)
    await vi.waitFor(() => expect(existsSync(join(a.state, 'dial-sessions.json'))).toBe(true), LIMIT)
    await a.kill()
    a.start()
    await apply()
    client.restart()
    await client.waitForConnection(2)
    expect(await askedFor()).toEqual([[true, true, 7]])
  })

  it('a refused one ends, and does not ask again', async () => {
    await a.refuse({ wrong: 'DIAL_PROFILE_OVER' })
    const client = open('wrong')
    await vi.waitFor(() => expect(client.isOver).toBe(true), LIMIT)
    expect((await a.asked()).length).toBe(1)
    expect(client.output).toContain('接入配置已失效')
  })

  it('one that is refused for a passing cause stays, tries the next server, and connects by itself', async () => {
    await a.refuse({ 'file~token': 'DIAL_PENDING' })
    const [first, silent] = ['203.0.113.10', '203.0.113.11']
    const client = open('file~token', [first, silent])
    await client.waitFor(CLIENT_ERRORS.DIAL_PENDING.msg)
    await a.refuse({})
    await client.waitForConnection(1)
    expect(client.dialled()).toEqual([first, silent, first])
    expect((await a.asked()).length).toBe(2)
  })

  it('a session whose renewal is refused for a passing cause comes back as what it was', async () => {
    const client = open()
    await client.waitForConnection(1)
    await a.refuse({ renewed: 'DIAL_PENDING' })
    client.restart()
    await client.waitFor(CLIENT_ERRORS.DIAL_PENDING.msg)
    await a.refuse({})
    await client.waitForConnection(2)
    expect(await askedFor()).toEqual([
      [false, 'file~token', null],
      [true, true, 7],
      [true, true, 7],
    ])
  })
})
