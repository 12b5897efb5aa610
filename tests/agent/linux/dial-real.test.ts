import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SERVICES, center, centerNetwork } from '../support/tunnel-parts.ts'
import { Authority } from './support/authority.ts'
import { Device, connectDevices } from './support/bed.ts'
import { endChild } from './support/child.ts'
import { canRunTunnels } from './support/real-tools.ts'

/** Real dials of software members into a centre in another network namespace. */
const canRun = canRunTunnels('dials are not run')

const LIMIT = { timeout: 20_000, interval: 100 }
const [member] = SERVICES[1]!.accounts

/** A client process with the offer that its service makes. */
class Client {
  readonly lines: string[] = []
  private readonly folder = mkdtempSync(join(tmpdir(), 'nlx-dial-'))
  private readonly child: ChildProcess
  private readonly file = join(this.folder, 'offer.json')

  constructor(namespace: string, offer: object) {
    this.offer(offer)
    const script = join(import.meta.dirname, 'support/dial-process.ts')
    const args = ['netns', 'exec', namespace, process.execPath, script, this.folder, this.file]
    this.child = spawn('ip', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    this.child.stdout!.on('data', (data: Buffer) => this.lines.push(...data.toString().split('\n').filter(Boolean)))
  }

  /** The service's next answers: an offer, or the sentence of a refusal. */
  offer(offer: object | string): void {
    writeFileSync(this.file, JSON.stringify(offer))
  }

  /** Waits for a line; throws with all lines if it does not come. */
  async waitFor(line: string): Promise<void> {
    await vi.waitFor(() => {
      if (!this.lines.includes(line)) throw new Error(`not yet “${line}” in:\n${this.lines.join('\n')}`)
    }, LIMIT)
  }

  get exitCode(): number | null {
    return this.child.exitCode
  }

  async stop(): Promise<void> {
    await endChild(this.child)
    rmSync(this.folder, { recursive: true, force: true })
  }
}

describe.skipIf(!canRun)('dials of a software member', { timeout: 120_000 }, () => {
  let authority: Authority
  let a: Device
  let place: Device
  const clients: Client[] = []
  const networkOfServices = (over = {}) => centerNetwork({ servers: SERVICES, ...over })
  let certificate = ''
  const documentOf = (over = {}) => authority.equip(center(networkOfServices(over)), certificate)
  const offer = (token: string) => ({
    mode: 1,
    ciphers: 'default',
    dns: [],
    servers: [{ remotes: [{ host: '203.0.113.10', port: SERVICES[1]!.port }] }],
    router_name: member!.name,
    token,
    token_expire_time: 43_200,
    ca: authority.certificate,
    control_key: '5a'.repeat(256),
  })
  const open = (token: string) => {
    const client = new Client(place.namespace, offer(token))
    clients.push(client)
    return client
  }
  const connected = `connected to 203.0.113.10 as ${member!.ip}`

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
    await a.apply(documentOf())
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail')
      console.log(a.logs(), clients.map(({ lines }) => lines.join('\n')).join('\n--\n'))
    for (const client of clients.splice(0)) await client.stop()
    await place.remove()
    await a.remove()
    authority.remove()
  })

  it('has the address of the document, is asked for with its token, and ends with the program', async () => {
    const client = open('good~token')
    await client.waitFor(connected)
    expect(place.reaches(SERVICES[1]!.ip)).toBe(true)
    expect(await a.asked()).toEqual([
      expect.objectContaining({ name: member!.name, secret: 'good~token', renewed: false }),
    ])
    await vi.waitFor(async () => expect((await a.tunnel('ov1s'))?.clients).toEqual([member!.name]), LIMIT)
    await client.stop()
    await vi.waitFor(async () => expect((await a.tunnel('ov1s'))?.clients).toEqual([]), LIMIT)
  })

  it('a refusal reaches the person in its words; after three of one kind the client gives up', async () => {
    await a.refuse({ bad: 'DIAL_TOKEN_WRONG' })
    const client = open('bad')
    await client.waitFor('refused: 拨入凭证不正确，请在客户端重新登录')
    client.offer(offer('good'))
    await client.waitFor(connected)
    await client.stop()
    const other = open('bad')
    await other.waitFor('over: 拨入凭证不正确，请在客户端重新登录')
    expect(other.lines.filter((line) => line.startsWith('refused'))).toHaveLength(3)
  })

  it('one that passes is shown as it is and counts for nothing: the client goes on until it is let in', async () => {
    await a.refuse({ good: 'DIAL_PENDING' })
    const client = open('good')
    const refused = 'refused: 该账号的配置正在下发，请稍候重试'
    const refusals = () => client.lines.filter((line) => line.startsWith('refused'))
    await vi.waitFor(() => expect(refusals()).toEqual(Array(3).fill(refused)), LIMIT)
    await a.refuse({})
    await client.waitFor(connected)
    expect(new Set((await a.asked()).map(({ secret }) => secret))).toEqual(new Set(['good']))
  })

  it('the service’s own refusal ends the dial', async () => {
    await a.refuse({ old: 'DIAL_TOKEN_EXPIRED' })
    const client = open('old')
    await client.waitFor('refused: 拨入凭证已过期，请重新拨入')
    client.offer('账号已停用，请联系管理员启用')
    await client.waitFor('over: 账号已停用，请联系管理员启用')
    await vi.waitFor(() => expect(client.exitCode).toBe(1), LIMIT)
  })

  const setEntryTime = (at: Date) => utimesSync(join(a.run, 'ccd/ov1s', member!.name), at, at)

  it('a session that is ended comes back by a fresh authorization', async () => {
    setEntryTime(new Date(Date.now() - 60_000))
    const client = open('first')
    await client.waitFor(connected)
    client.offer(offer('second'))
    expect(await a.disconnect('N1', member!.name)).toBe(true)
    await vi.waitFor(() => expect(client.lines.filter((line) => line === connected)).toHaveLength(2), LIMIT)
    expect((await a.asked()).map(({ renewed }) => renewed)).toEqual([false, true])
  })

  it('a session that is older than the entry of its member comes back by its token alone', async () => {
    const client = open('first')
    await client.waitFor(connected)
    setEntryTime(new Date()) // as a new password does; this client is not halted, as one that ignores it
    client.offer(offer('second'))
    expect(await a.disconnect('N1', member!.name)).toBe(true)
    await client.waitFor('refused: 拨入凭证已过期，请重新拨入')
    await vi.waitFor(() => expect(client.lines.filter((line) => line === connected)).toHaveLength(2), LIMIT)
    const asked = await a.asked()
    expect(asked.at(-1)).toMatchObject({ secret: 'second', renewed: false })
  })

  it('a member that leaves the document is ended for good', async () => {
    const client = open('good')
    await client.waitFor(connected)
    const servers = [SERVICES[0]!, { ...SERVICES[1]!, accounts: [] }]
    await a.apply(documentOf({ servers }))
    await vi.waitFor(() => expect(client.exitCode).toBe(1), LIMIT)
    expect(client.lines.at(-1)).toBe('over: 账号已变更，请在客户端重新登录')
  })

  it('is a record with its times and bytes, also over a crash of the agent', async () => {
    const client = open('good')
    await client.waitFor(connected)
    await vi.waitFor(async () => expect(await a.dials()).toHaveLength(1), LIMIT)
    const [begun] = await a.dials()
    expect(begun).toMatchObject({ network_number: 'N1', name: member!.name, remote: '203.0.113.40', endedAt: null })
    expect(Math.abs(Date.now() - begun!.beganAt)).toBeLessThan(20_000)
    await a.kill()
    a.start()
    await a.apply(documentOf())
    await vi.waitFor(async () => expect(await a.dials()).toHaveLength(1), LIMIT)
    const [adopted] = await a.dials()
    expect(adopted).toMatchObject({ key: begun!.key, endedAt: null })
    expect(Math.abs(begun!.beganAt - adopted!.beganAt)).toBeLessThan(5_000) // by OpenVPN, in whole seconds
    place.exec('ping', '-n', '-c', '20', '-i', '0.02', '-s', '1000', SERVICES[1]!.ip)
    await a.refreshDials()
    expect((await a.dials())[0]!.rx).toBeGreaterThan(20_000)
    await client.stop()
    await vi.waitFor(async () => expect((await a.dials())[0]!.endedAt).not.toBeNull(), LIMIT)
    const [ended] = await a.dials()
    expect(ended!.key).toBe(begun!.key)
    expect(ended!.rx).toBeGreaterThan(20_000)
  })

  it('ends the older of two of one member for good, and the newer goes on', async () => {
    const older = open('good')
    await older.waitFor(connected)
    const newer = open('good')
    await newer.waitFor(connected)
    await older.waitFor('over: 该账号已在其他设备拨入')
    expect(newer.lines.filter((line) => line === connected)).toHaveLength(1)
    const dials = await a.dials()
    expect(dials.filter(({ endedAt }) => endedAt === null)).toHaveLength(1)
    expect(dials).toHaveLength(2)
  })

  it('ends by a job: to come back, or for good', async () => {
    const client = open('good')
    await client.waitFor(connected)
    await vi.waitFor(async () => expect(await a.dials()).toHaveLength(1), LIMIT)
    expect(await a.endDial('N1', 'nobody@x', false)).toBe(0)
    expect(await a.endDial('N1', member!.name, false)).toBe(1)
    await vi.waitFor(() => expect(client.lines.filter((line) => line === connected)).toHaveLength(2), LIMIT)
    await vi.waitFor(async () => expect((await a.dials()).length).toBe(2), LIMIT)
    expect(await a.endDial('N1', member!.name, true)).toBe(1)
    await client.waitFor('over: 该账号已在其他设备拨入')
  })
})
