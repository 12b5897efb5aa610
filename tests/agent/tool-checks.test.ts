import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { toStaticKey } from '#domain/client/static-key.ts'
import { renderDocument } from '#infra/agent/drivers/render/render.ts'
import { NO_SLOTS, assignSlots } from '#infra/agent/drivers/render/slots.ts'
import { renderOpenvpnClient } from '#infra/agent/drivers/render/openvpn-client.ts'
import { NETWORK_TOOLS, missingTools } from '#infra/local/network-tools.ts'
import { profileText } from '#outside/client-profile/openvpn.ts'
import { loadIntoBgpd } from './support/scratch-bgpd.ts'
import { TARGET, renderCase } from './support/render-case.ts'
import { createKeys } from './support/tunnel-keys.ts'
import { CASES } from './support/tunnel-documents.ts'
import { findOffenders } from '#tests/support/offenders.ts'

/** The tools' own checks of every case. Nothing of this touches links, routes or rules of the machine. */
const missing = missingTools()
const unshare = ['--net', '--', 'true']
const hasNamespaces = process.getuid?.() === 0 && spawnSync('unshare', unshare).status === 0
const canCheck = missing.length === 0 && hasNamespaces
if (!canCheck) {
  console.log(
    `skipped: files are not checked by the tools (${missing.join(', ') || 'root and network namespaces'} needed)`,
  )
}

const HOLD = 'Need hold release from management interface'

/** In a network namespace of its own, with the state folder as working directory. */
function runIn(folder: string, command: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync('unshare', ['--net', '--', command, ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 30_000,
  })
  return { status, output: `${stdout}${stderr}` }
}

describe.skipIf(!canCheck)('files are accepted by the tools that read them', () => {
  let keys: string
  let root: string
  let state: string
  beforeAll(async () => {
    keys = await mkdtemp(join(tmpdir(), 'netloom-keys-'))
    createKeys(keys)
  })
  afterAll(() => rm(keys, { recursive: true, force: true }))
  const openState = async () => (state = await mkdtemp(join(root, 'state-')))
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'netloom-tools-'))
    await openState()
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  const listCase = (name: string, pattern: RegExp) => [...renderCase(name)].filter(([path]) => pattern.test(path))
  async function write(name: string): Promise<void> {
    for (const [path, text] of renderCase(name)) {
      const file = join(state, 'network/current', path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
    }
  }

  const copyKeys = () => spawnSync('cp', ['-r', `${keys}/.`, state])

  it('OpenVPN reads the tunnels of each case', async () => {
    const offenders = await findOffenders(Object.keys(CASES))(async (name) => {
      await openState()
      await write(name)
      copyKeys()
      for (const [path] of listCase(name, /^openvpn\/[^/]+\.conf$/)) {
        await mkdir(join(state, 'run/ccd', basename(path, '.conf')), { recursive: true })
        await mkdir(join(state, 'run/sockets'), { recursive: true })
        const config = join('network/current', path)
        const known = runIn(state, NETWORK_TOOLS.openvpn, '--config', config, '--show-digests')
        expect([path, known.status, known.output]).toEqual([path, 0, expect.any(String)])
        expect(await hold(config)).toContain(HOLD)
      }
    })
    expect(offenders).toEqual([])
  })

  it.each(['default', 'sm'] as const)('OpenVPN: a software member, ciphers %s', async (ciphers) => {
    copyKeys()
    const server = {
      kind: 'center' as const,
      router_name: 'NL-A',
      proto: 'udp' as const,
      remotes: [{ host: '203.0.113.5', port: 20_001 }],
      fixed: 1 as const,
      segment: '100.64.16.0/20',
      gateway: '100.64.16.1',
      ip: '100.64.16.9',
      routes: [],
    }
    const text =
      renderOpenvpnClient({ ciphers, servers: [server] }, { ca: 'keys/ca.pem', control: 'keys/N1.key' }) ?? ''
    await writeFile(join(state, 'client.ovpn'), text)
    const { status, output } = runIn(state, NETWORK_TOOLS.openvpn, '--config', 'client.ovpn', '--show-digests')
    expect([status, output]).toEqual([0, expect.any(String)])
    const file = profileText(
      { ciphers, servers: [server] },
      {
        ca: readFileSync(join(state, 'keys/ca.pem'), 'utf8'),
        control: toStaticKey('5a'.repeat(256)),
        name: 'a@q',
        token: 't',
      },
    )
    await writeFile(join(state, 'profile.ovpn'), file)
    const own = runIn(state, NETWORK_TOOLS.openvpn, '--config', 'profile.ovpn', '--show-digests')
    expect([own.status, own.output]).toEqual([0, expect.any(String)])
  })

  /** Runs up to where it would open its device: files, keys and ciphers are read and options fit together. */
  function hold(config: string): Promise<string> {
    const options = ['--config', config, '--dev', 'null', '--ifconfig-noexec', '--management-hold']
    const child = spawn('unshare', ['--net', '--', NETWORK_TOOLS.openvpn, ...options], { cwd: state })
    return new Promise((resolve) => {
      let output = ''
      child.stdout.on('data', (data: Buffer) => {
        output += data.toString()
        if (output.includes(HOLD)) child.kill('SIGKILL')
      })
      child.once('close', () => resolve(output))
    })
  }

  it('FRR reads the routing of each case, and runs all of it', async () => {
    const offenders = await findOffenders(Object.keys(CASES))(async (name) => {
      await openState()
      for (const [, text] of listCase(name, /^frr\//)) {
        const { refused, running } = await loadIntoBgpd(state, text)
        expect(refused).toEqual([])
        // a line that bgpd prints in another form was misread
        const lines = running.split('\n').map((line) => line.trim())
        const lost = text.split('\n').filter((line) => line.trim() && !lines.includes(line.trim()))
        expect(lost).toEqual([])
        await rm(state, { recursive: true })
        await mkdir(state)
      }
    })
    expect(offenders).toEqual([])
  })

  it('nftables reads the rules of each case', async () => {
    const offenders = await findOffenders(Object.keys(CASES))(async (name) => {
      await openState()
      await write(name)
      for (const [path] of listCase(name, /^nft\//)) {
        expect(runIn(state, NETWORK_TOOLS.nft, '-c', '-f', join('network/current', path))).toEqual({
          status: 0,
          output: '',
        })
      }
    })
    expect(offenders).toEqual([])
  })

  it('dnsmasq reads the names of each case', async () => {
    const offenders = await findOffenders(Object.keys(CASES))(async (name) => {
      await openState()
      await write(name)
      if (!existsSync(join(state, 'network/current/dnsmasq.conf'))) return
      const config = join(state, 'network/current/dnsmasq.conf')
      const { status, output } = runIn(state, NETWORK_TOOLS.dnsmasq, '--test', '-C', config)
      expect([status, output.trim()]).toEqual([0, 'dnsmasq: syntax check OK.'])
    })
    expect(offenders).toEqual([])
  })

  /** On devices of these names, because a rate is checked where it is set. */
  it('tc sets the rates of each case', async () => {
    const offenders = await findOffenders(Object.keys(CASES))(async (name) => {
      await openState()
      await write(name)
      for (const [path, text] of listCase(name, /^tc\//)) {
        const devices = [...text.matchAll(/ dev (\S+)/g)].map(([, device]) => device!)
        const links = devices.map((device, i) => `ip link add ${device} type veth peer name peer${i}`)
        const script = [...links, `${NETWORK_TOOLS.tc} -batch network/current/${path}`].join(' && ')
        expect(runIn(state, 'sh', '-c', script)).toEqual({ status: 0, output: '' })
      }
    })
    expect(offenders).toEqual([])
  })

  it('tc: a limit is taken off, and once more', async () => {
    const document = CASES['bandwidth-point']!
    const slots = assignSlots(document, NO_SLOTS)
    const limited = renderDocument(document, slots, TARGET)
    const { bandwidth_mbps: _, ...free } = document
    const lifted = renderDocument(free, slots, TARGET, limited)
    const commands = [limited, lifted, lifted].map((files) => files.get('tc/bandwidth.tc') ?? '')
    await Promise.all(commands.map((text, i) => writeFile(join(state, `${i}.tc`), text)))
    const links = [...TARGET.wan, ...TARGET.lan].map((name, i) => `ip link add ${name} type veth peer name peer${i}`)
    const steps = commands.map((_text, i) => `${NETWORK_TOOLS.tc} -batch ${i}.tc && ${NETWORK_TOOLS.tc} qdisc show`)
    const { status, output } = runIn(state, 'sh', '-c', [...links, ...steps].join(' && echo --- && '))
    expect(status).toBe(0)
    const [first, ...others] = output.split('---\n').slice(-3)
    expect(first?.match(/ tbf /g)).toHaveLength(3)
    for (const shown of others) expect(shown).not.toMatch(/tbf|pfifo /)
  })

  it('tools refuse a directive that they do not know', async () => {
    const file = join(state, 'wrong.conf')
    await writeFile(file, 'no-such-directive 7\n')
    expect(runIn(state, NETWORK_TOOLS.openvpn, '--config', file, '--show-digests').status).toBe(1)
    expect(runIn(state, NETWORK_TOOLS.nft, '-c', '-f', file).status).toBe(1)
    expect(runIn(state, NETWORK_TOOLS.dnsmasq, '--test', '-C', file).status).toBe(1)
    expect(runIn(state, NETWORK_TOOLS.tc, '-batch', file).status).toBe(1)
    const rows = 'ip prefix-list ROWS-1 seq 5 permit 10.0.0.0/16 ge 8'
    const { refused } = await loadIntoBgpd(state, `no-such-directive 7\n${rows}\n`)
    expect(refused.map(({ line, code }) => [line, code])).toEqual([
      ['no-such-directive 7', 2],
      [rows, 13],
    ])
  })
})
