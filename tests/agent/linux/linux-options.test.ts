import { chmod, mkdtemp, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderProblems } from '#infra/agent/drivers/linux/folder-check.ts'
import { unitText } from '#infra/agent/drivers/linux/unit.ts'
import { UNIT_CAPABILITIES } from '#infra/agent/drivers/linux/unit-capabilities.ts'
import { parseIpAddr } from '#infra/agent/machine/ip-addr.ts'
import { parseCommandLine, parseDownLine } from '#infra/agent/options.ts'

const parse = (...options: string[]) =>
  parseCommandLine(['--server', 'https://a.example', '--serial', 'NL-1', '--state', '/s', ...options]).linux

describe('options of the driver linux', () => {
  it('name its ports and its folder', () => {
    expect(parse()).toBeNull()
    expect(parse('--driver', 'files')).toBeNull()
    expect(parse('--driver', 'linux', '--wan', 'eth0')).toEqual({
      wan: ['eth0'],
      lan: [],
      run: '/run/netloom-NL-1',
      isNode: false,
    })
    const ports = ['--wan', 'eth0', '--lan-port', 'eth1.7', '--lan-port', 'br-lan', '--run', '/run/x']
    expect(parse('--driver', 'linux', ...ports)).toMatchObject({
      wan: ['eth0'],
      lan: ['eth1.7', 'br-lan'],
      run: '/run/x',
    })
    expect(parse('--driver', 'linux', '--pop', '--wan', 'eth0')).toMatchObject({ isNode: true, lan: [] })
    expect(parseDownLine(['--state', '/s'])).toEqual({ state: '/s', run: null })
  })

  it.each([
    [['--driver', 'other'], '--driver: files or linux'],
    [['--driver', 'linux'], '--driver linux needs --wan <interface>'],
    [['--wan', 'eth0'], '--wan, --lan-port, --run and --pop need --driver linux'],
    [['--pop'], '--wan, --lan-port, --run and --pop need --driver linux'],
    [['--driver', 'linux', '--pop', '--wan', 'eth0', '--lan-port', 'eth1'], '--pop: a node has no LAN'],
    [['--driver', 'linux', '--wan', 'eth0;reboot'], 'eth0;reboot is no name of a WAN or LAN interface'],
    [['--driver', 'linux', '--wan', 'eth0', '--lan-port', 'ov1r'], 'ov1r is no name of a WAN or LAN interface'],
    [['--driver', 'linux', '--wan', 'eth0', '--lan-port', 'eth0'], '--wan and --lan-port: each interface once'],
  ])('%j are refused', (options, message) => {
    expect(() => parse(...options)).toThrow(message)
  })

  it('give interfaces their roles, of whatever kind they are', () => {
    const link = (ifname: string, kind?: string) => ({
      ifname,
      flags: ['UP'],
      mtu: 1500,
      addr_info: [],
      ...(kind && { linkinfo: { info_kind: kind } }),
    })
    const text = JSON.stringify([
      link('eth0', 'veth'),
      link('eth1'),
      link('br0', 'bridge'),
      link('ov1r', 'tun'),
      link('lo'),
    ])
    const found = parseIpAddr(text, 'eth1', { wan: ['eth0'], lan: ['br0'] })
    expect(found.map((one) => [one.interface, one.role])).toEqual([
      ['eth0', 'wan'],
      ['br0', 'lan'],
      ['ov1r', 'tunnel'],
    ])
  })
})

describe('folders of the driver linux', () => {
  const root = process.getuid?.() === 0

  it('have paths that fit into a socket and into a configuration', async () => {
    expect(await folderProblems({ state: '/var/lib/netloom', run: '/run/netloom-NL-1' })).toEqual([])
    expect(await folderProblems({ state: `/${'s'.repeat(80)}`, run: `/${'r'.repeat(100)}` })).toEqual([
      '--state: the path of a socket would have 123 bytes, and 107 are possible',
      '--run: the path of a socket would have 128 bytes, and 107 are possible',
    ])
    expect(await folderProblems({ state: '/s', run: `/${'r'.repeat(80)}`, isNode: true })).toEqual([
      '--run: the path of a socket would have 112 bytes, and 107 are possible',
    ])
    expect(await folderProblems({ state: '/a b', run: '/run/组' })).toEqual([
      '--state: only letters, digits and . / @ + - _',
      '--run: only letters, digits and . / @ + - _',
    ])
  })

  it.skipIf(!root)('are entered by others, and written by root alone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'netloom-run-'))
    const run = join(folder, 'run')
    const problems = () => folderProblems({ state: '/var/lib/netloom', run })
    expect(await problems()).toEqual([`--run: processes without privileges cannot enter ${folder}`])
    await chmod(folder, 0o711)
    expect(await problems()).toEqual([])
    await mkdir(run)
    await chmod(run, 0o777)
    expect(await problems()).toEqual([`--run: others than root may write to ${run}`])
    await rm(folder, { recursive: true })
  })
})

it('the unit starts the same command, leaves its processes and has the capabilities that were found', () => {
  const text = unitText(['/usr/bin/node', '/opt/agent.mjs', '--name', 'a "b" 100% $HOME \\'])
  expect(text).toContain(String.raw`ExecStart=/usr/bin/node /opt/agent.mjs --name "a \"b\" 100%% $$HOME \\"` + '\n')
  expect(text).toContain('KillMode=process\n')
  expect(text).toContain('RestartPreventExitStatus=2\n')
  expect(text).toContain(`CapabilityBoundingSet=${Object.keys(UNIT_CAPABILITIES).join(' ')}\n`)
  expect(text).toContain('SupplementaryGroups=frrvty\n')
})
