import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { center, centerNetwork, point, pointNetwork } from '../support/tunnel-parts.ts'
import { checkConfigs } from '#infra/agent/drivers/linux/openvpn/check.ts'
import { wantedOpenvpn } from '#infra/agent/drivers/linux/openvpn/wanted.ts'
import { UNIT_CAPABILITIES } from '#infra/agent/drivers/linux/unit-capabilities.ts'
import { ProcessTable } from '#infra/agent/drivers/linux/processes/process-table.ts'
import { systemClock } from '#infra/agent/clock.ts'
import { silentLog } from '#infra/agent/log.ts'
import { renderingOf } from './support/renderings.ts'
import { Authority } from './support/authority.ts'
import { Device, connectDevices } from './support/bed.ts'
import { canRunTunnels } from './support/real-tools.ts'

/** Real tunnels between network namespaces. */
const canRun = canRunTunnels('tunnels are not run')

const LIMIT = { timeout: 20_000, interval: 100 }

describe.skipIf(!canRun)('tunnels of a centre and a point', { timeout: 120_000 }, () => {
  let authority: Authority
  let keys: Record<'NL-A' | 'NL-P1', { key: string; certificate: string }>
  beforeEach(() => {
    authority = new Authority()
    keys = { 'NL-A': authority.issue('NL-A', 'both'), 'NL-P1': authority.issue('NL-P1') }
  })
  afterEach(() => authority.remove())

  let a: Device
  let p: Device
  beforeEach(() => {
    a = new Device('a')
    p = new Device('p')
    connectDevices(a, '203.0.113.10/24', p, '203.0.113.31/24')
    for (const [device, name] of [
      [a, 'NL-A'],
      [p, 'NL-P1'],
    ] as const) {
      mkdirSync(join(device.state, 'keys'), { mode: 0o700 })
      writeFileSync(join(device.state, 'keys/router.key'), keys[name].key, { mode: 0o600 })
      device.start()
    }
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.log([a, p].map((device) => device.logs()).join('\n'))
    await p.remove()
    await a.remove()
  })

  const centerDocument = (over = {}) => authority.equip(center(centerNetwork(over)), keys['NL-A'].certificate)
  const pointDocument = () => authority.equip(point(pointNetwork()), keys['NL-P1'].certificate)
  async function connect(): Promise<void> {
    await a.apply(centerDocument())
    await p.apply(pointDocument())
    await vi.waitFor(() => expect(p.reaches('100.64.0.1')).toBe(true), LIMIT)
  }

  /** Counter of the point's link, with its start in milliseconds since boot. */
  async function counterOfLink() {
    const { since_s, ...bytes } = (await p.linkCounters())['N1:NL-P1>NL-A']!
    return { ...bytes, began: systemClock.monotonic() - since_s * 1_000 }
  }
  const isRefused = () => vi.waitFor(() => expect(p.reaches('100.64.0.1')).toBe(false), LIMIT)
  const isBack = () => vi.waitFor(() => expect(p.reaches('100.64.0.1')).toBe(true), LIMIT)
  const links = centerNetwork().links

  it('carry packets; a repeated document moves nothing, and without a document nothing is left', async () => {
    expect(await a.validate(centerDocument())).toBeNull()
    expect(await p.validate(pointDocument())).toBeNull()
    await connect()
    await vi.waitFor(async () => expect(await a.tunnel('ov1r')).toEqual({ isUp: true, clients: ['NL-P1'] }), LIMIT)
    expect(await p.tunnel('ov1c1')).toMatchObject({ isUp: true })
    const pids = a.pids()
    expect(await a.apply(centerDocument())).toEqual([])
    expect(a.pids()).toEqual(pids)

    for (const device of [a, p]) {
      expect(await device.apply(null)).toEqual(['N1'])
      expect(await readFile(join(device.state, 'processes.json'), 'utf8')).toContain('"processes": []')
      expect(device.exec('nft', 'list', 'tables')).toBe('')
      expect(device.exec('ip', '-br', 'link')).not.toContain('ov')
      expect(listFiles(device.run).filter((path) => !/^frr|^(?:zebra|bgpd|bfdd)\.log$/.test(path))).toEqual([])
      expect(listFiles(device.state).filter((path) => !/^(processes|slots)\.json$/.test(path))).toEqual([
        'keys/router.key',
      ])
    }
  })

  it('start over where no server answers, instead of ever longer pauses between tries, and find one that returns', async () => {
    await p.apply(pointDocument())
    const log = () => readFileSync(join(p.run, 'ov1c1.log'), 'utf8')
    await vi.waitFor(() => expect(log()).toContain('server_poll'), LIMIT)
    await a.apply(centerDocument())
    await isBack()
  })

  it('processes without privileges, and files that others cannot list', async () => {
    await connect()
    for (const pid of Object.values(a.pids())) {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      expect(status).toMatch(/^Uid:\t65534\t65534/m)
      expect(status).toMatch(/^CapEff:\t0000000000001000$/m) // NET_ADMIN
    }
    const asNobody = (...command: string[]) =>
      spawnSync('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', ...command]).status
    expect(asNobody('cat', join(a.run, 'ccd/ov1r/NL-P1'))).toBe(0)
    expect(asNobody('cat', join(a.run, 'revoked/N1.pem'))).toBe(0)
    expect(asNobody('ls', join(a.run, 'ccd/ov1r'))).not.toBe(0)
    for (const path of ['keys/N1/control.key', 'openvpn/ov1r.conf', 'processes.json']) {
      expect([path, statSync(join(a.state, path)).mode & 0o777]).toEqual([path, 0o600])
    }
  })

  it('leave nothing in their folders that others may use; nobody gets to a socket; the driver keeps it and the counter of its link over a restart', async () => {
    await a.apply(centerDocument({ dns: ['10.12.0.53'] }))
    await p.apply(pointDocument())
    await vi.waitFor(() => expect(p.reaches('100.64.0.1')).toBe(true), LIMIT)
    expect([a.run, a.state].map(listAccess)).toEqual([RUN_ACCESS, STATE_ACCESS])
    for (const path of listSockets(a.run)) expect([path, connectAs(NOBODY, path)]).toEqual([path, 'PermissionError'])
    expect(connectAs(0, join(a.run, 'frr/bgpd.vty'))).toBe('connected')
    const connections = () =>
      readFileSync(join(p.run, 'ov1c1.log'), 'utf8').split('Initialization Sequence Completed').length
    const before = connections()
    const countedBefore = await counterOfLink()
    process.kill(p.pids()['ov1c1']!, 'SIGUSR1')
    await vi.waitFor(() => expect(connections()).toBe(before + 1), LIMIT)
    await vi.waitFor(async () => expect(await p.tunnel('ov1c1')).toMatchObject({ isUp: true }), LIMIT)
    await isBack()

    // Its counter goes on over the reconnect and the driver's end, and starts over with its process.
    await p.kill()
    p.start()
    await p.apply(pointDocument())
    await vi.waitFor(() => expect(p.reaches('100.64.0.1')).toBe(true), LIMIT)
    const countedAfter = await counterOfLink()
    expect(Math.abs(countedAfter.began - countedBefore.began)).toBeLessThan(500)
    expect(countedAfter.rx).toBeGreaterThan(countedBefore.rx)
    expect(countedAfter.tx).toBeGreaterThan(countedBefore.tx)
    expect(await a.linkCounters()).toEqual({})
    process.kill(p.pids()['ov1c1']!, 'SIGKILL')
    await vi.waitFor(
      async () => expect((await counterOfLink()).began).toBeGreaterThan(countedAfter.began + 1_000),
      LIMIT,
    )
  })

  it('run under exactly the capabilities of the unit', async () => {
    const list = ['-all', ...Object.keys(UNIT_CAPABILITIES).map((name) => `+${name.slice(4).toLowerCase()}`)].join(',')
    const [, , group = ''] =
      readFileSync('/etc/group', 'utf8')
        .match(/^frrvty:.*$/m)?.[0]
        .split(':') ?? []
    for (const device of [a, p]) {
      await device.kill()
      device.start('setpriv', '--bounding-set', list, '--inh-caps', list, '--groups', group, '--no-new-privs')
    }
    expect(await a.validate(centerDocument())).toBeNull()
    await connect()
    await a.apply(centerDocument({ ciphers: 'sm' }))
    expect(await a.apply(null)).toEqual(['N1'])
    expect(a.pids()).toEqual({})
  })

  it('a member that is removed is disconnected and refused, the server stays; added again it is back', async () => {
    await connect()
    const pids = a.pids()
    expect(await a.apply(centerDocument({ links: links.slice(1) }))).toEqual(['N1'])
    await isRefused()
    await vi.waitFor(() => expect(p.logs()).toContain('AUTH_FAILED'), LIMIT)
    await a.apply(centerDocument())
    await isBack()
    expect(a.pids()).toEqual(pids)
  })

  it('a certificate that is revoked while the server runs is refused, and no process restarts', async () => {
    await connect()
    const pids = { ...a.pids(), ...p.pids() }
    authority.revoke('NL-P1')
    expect(await a.apply(centerDocument())).toEqual(['N1'])
    await isRefused()
    await vi.waitFor(async () => expect(await a.hasRevoked('ov1r', 'NL-P1')).toBe(true), LIMIT)
    expect(await a.hasRevoked('ov1r', 'NL-P2')).toBe(false)
    expect({ ...a.pids(), ...p.pids() }).toEqual(pids)
  })

  it('go on when the agent is killed under traffic; the next one adopts the same processes', async () => {
    await connect()
    const pids = a.pids()
    const ping = spawn('ip', ['netns', 'exec', p.namespace, 'ping', '-n', '-i0.05', '-w4', '100.64.0.1'])
    let output = ''
    ping.stdout.on('data', (data: Buffer) => (output += data.toString()))
    const pinged = once(ping, 'exit')
    await a.kill()
    a.start()
    expect(await a.apply(centerDocument())).toEqual([])
    await pinged
    expect(output).toContain(' 0% packet loss')
    expect(a.pids()).toEqual(pids)
    await vi.waitFor(async () => expect(await a.tunnel('ov1r')).toEqual({ isUp: true, clients: ['NL-P1'] }), LIMIT)
    // and it controls what it adopted
    await a.apply(centerDocument({ links: links.slice(1) }))
    await isRefused()
  })

  it('a client that is killed starts again, and stops at the fifth time with its reason until it is reset', async () => {
    await connect()
    for (let kills = 1; kills <= 5; kills += 1) {
      await vi.waitFor(() => expect(p.pids()['ov1c1']).toBeGreaterThan(0), LIMIT)
      const pid = p.pids()['ov1c1']!
      process.kill(pid, 'SIGKILL')
      await vi.waitFor(() => expect(p.pids()['ov1c1']).not.toBe(pid), LIMIT)
    }
    await vi.waitFor(async () => expect(Object.keys(await p.exhausted())).toEqual(['ov1c1']), LIMIT)
    expect(p.logs()).toContain('respawn_limit')
    expect(await p.apply(pointDocument())).toEqual([])
    expect(p.pids()).toEqual({})
    await p.reset('N1')
    await isBack()
    expect(await p.exhausted()).toEqual({})
  })

  it('a renewed certificate is on the disk and restarts nothing', async () => {
    await connect()
    const pids = p.pids()
    const renewed = authority.renew('NL-P1')
    expect(await p.apply(authority.equip(point(pointNetwork()), renewed))).toEqual(['N1'])
    expect(readFileSync(join(p.state, 'keys/N1/router.pem'), 'utf8')).toBe(renewed)
    expect(p.pids()).toEqual(pids)
  })

  it('a certificate that soon ends is replaced by a restart once it is renewed', async () => {
    keys['NL-P1'].certificate = authority.renew('NL-P1', 'client', 19)
    await connect()
    const pids = p.pids()
    expect(await p.apply(pointDocument())).toEqual([])
    expect(p.pids()).toEqual(pids)
    await p.apply(authority.equip(point(pointNetwork()), authority.renew('NL-P1')))
    expect(p.pids()).not.toEqual(pids)
    await isBack()
  })

  it('a port that another process holds is refused by its name', async () => {
    const holder = spawn('ip', ['netns', 'exec', a.namespace, 'python3', '-c', HOLD_PORT], { stdio: 'pipe' })
    await once(holder.stdout, 'data')
    const failure = await a.validate(centerDocument())
    expect(failure?.reason).toMatch(/^配置校验失败：端口20000已被进程python3（\d+）占用$/)
    holder.kill('SIGKILL')
    await once(holder, 'exit')
  })

  it('a document that cannot run is refused, and one that fails leads back to the one before', async () => {
    await connect()
    const pids = a.pids()
    const broken = {
      ...centerDocument(),
      authorities: [{ ...centerDocument().authorities![0]!, certificate: keys['NL-P1'].certificate }],
    }
    const failure = await a.validate(broken)
    expect(failure?.reason).toBe('配置校验失败：组网N1的证书与设备的密钥不一致')
    await expect(a.apply(broken)).rejects.toThrow(/^ov1r: .*key values mismatch/s)
    await isBack()
    expect(Object.keys(a.pids())).toEqual(Object.keys(pids))
    expect(await a.apply(centerDocument())).toEqual([])
  })

  it('a configuration that OpenVPN refuses is refused with its own line', async () => {
    const folders = { keys: join(a.state, 'keys'), shared: a.run }
    const rendering = renderingOf(centerDocument())
    const wanted = { ...wantedOpenvpn(rendering), folders }
    const processes = await ProcessTable.open(join(a.state, 'own.json'), silentLog)
    processes.close()
    const withLine = (line: string) => ({
      ...wanted,
      processes: Object.fromEntries(
        Object.entries(wanted.processes).map(([name, each]) => [name, { ...each, config: `${each.config}${line}\n` }]),
      ),
    })
    const failureOf = (line: string) => checkConfigs(withLine(line), processes, a.state)
    expect(await failureOf('no-such-directive 7')).toEqual({
      reason: '配置校验失败：组网N1的隧道配置不能使用',
      log: expect.stringMatching(/^Options error: Unrecognized option.*no-such-directive/),
    })
    expect((await failureOf('data-ciphers NO-CIPHER'))?.log).toMatch(/NO-CIPHER/)
  })
})

const HOLD_PORT =
  'import socket,time;s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM);s.bind(("",20000));print("x",flush=True);time.sleep(60)'

const CONNECT = [
  'import os,socket,sys',
  'os.setgroups([]); os.setgid(int(sys.argv[2])); os.setuid(int(sys.argv[2]))',
  'try: socket.socket(socket.AF_UNIX).connect(sys.argv[1]); print("connected")',
  'except OSError as error: print(type(error).__name__)',
].join('\n')
const NOBODY = 65_534
const connectAs = (uid: number, path: string): string =>
  execFileSync('python3', ['-c', CONNECT, path, String(uid)], { encoding: 'utf8' }).trim()

const listSockets = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isSocket())
    .map((entry) => join(entry.parentPath, entry.name))

/** Mode, owner, group and path of everything in a folder, itself among it. */
const listAccess = (folder: string): string[] =>
  execFileSync('find', [folder, '-printf', '%M %u %g %P\\n'], { encoding: 'utf8' }).trimEnd().split('\n').toSorted()

/** Other users read what OpenVPN reads as nobody and what holds no secret, if they know its name. */
const RUN_ACCESS = [
  '-rw------- root root bfdd.log',
  '-rw------- root root bgpd.log',
  '-rw------- root root dnsmasq.log',
  '-rw------- root root ov1r.log',
  '-rw------- root root ov1s.log',
  '-rw------- root root zebra.log',
  '-rw-r--r-- frr frr frr/bfdd.pid',
  '-rw-r--r-- frr frr frr/bgpd.pid',
  '-rw-r--r-- frr frr frr/zebra.pid',
  '-rw-r--r-- root root ccd/ov1r/NL-P1',
  '-rw-r--r-- root root ccd/ov1r/NL-P2',
  '-rw-r--r-- root root ccd/ov1s/a.b@qiming',
  '-rw-r--r-- root root dnsmasq.conf',
  '-rw-r--r-- root root frr/empty.conf',
  '-rw-r--r-- root root revoked/N1.pem',
  'drwx------ root root sockets',
  'drwx--x--x root root ',
  'drwx--x--x root root ccd',
  'drwx--x--x root root ccd/ov1r',
  'drwx--x--x root root ccd/ov1s',
  'drwx--x--x root root revoked',
  'drwxr-x--- frr frrvty frr',
  'srwx------ frr frr frr/zserv.api',
  'srwxrwx--- frr frrvty frr/bfdd.vty',
  'srwxrwx--- frr frrvty frr/bgpd.vty',
  'srwxrwx--- frr frrvty frr/zebra.vty',
  'srwxrwxrwx frr frr frr/bfdd.sock',
  'srwxrwxrwx root root sockets/ov1r.sock',
  'srwxrwxrwx root root sockets/ov1s.sock',
]
const STATE_ACCESS = [
  '-rw------- root root keys/N1/ca.pem',
  '-rw------- root root keys/N1/control.key',
  '-rw------- root root keys/N1/router.pem',
  '-rw------- root root keys/N1/tokens.key',
  '-rw------- root root keys/router.key',
  '-rw------- root root openvpn/ov1r.conf',
  '-rw------- root root openvpn/ov1r.pem',
  '-rw------- root root openvpn/ov1s.conf',
  '-rw------- root root openvpn/ov1s.pem',
  '-rw------- root root processes.json',
  '-rw------- root root slots.json',
  '-rw------- root root sysctls.json',
  'drwx------ root root ',
  'drwx------ root root keys',
  'drwx------ root root keys/N1',
  'drwx------ root root openvpn',
]

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
