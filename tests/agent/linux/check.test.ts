import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { firewallProblems } from '#infra/agent/drivers/linux/check/firewalls.ts'
import { checkInstalled } from '#infra/agent/drivers/linux/check/installed.ts'
import { managerProblems } from '#infra/agent/drivers/linux/check/managers.ts'
import { parseStatus, privilegeProblems } from '#infra/agent/drivers/linux/check/privileges.ts'
import { versionProblem } from '#infra/agent/drivers/linux/check/versions.ts'
import { UNIT_CAPABILITIES } from '#infra/agent/drivers/linux/unit-capabilities.ts'
import { missingTools } from '#infra/local/network-tools.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { Namespaces, type ToolHost, ip, runInside } from '../support/namespaces.ts'
import { CASES } from '../support/tunnel-documents.ts'
import { hasNamespaces } from './support/real-tools.ts'

const FRRVTY = 107
const ALL = parseStatus(`Uid:\t0\t0\t0\t0\nGroups:\t0 \nCapEff:\t000001ffffffffff\n`)
/** Exactly the capabilities of the unit, as the kernel prints them. */
const OF_UNIT = parseStatus(`Uid:\t0\t0\t0\t0\nGroups:\t${FRRVTY} \nCapEff:\t00000000002034e1\n`)

describe('check of a machine', () => {
  it('names privileges that are missing', () => {
    const texts = (...args: Parameters<typeof privilegeProblems>) => privilegeProblems(...args).map(({ text }) => text)
    expect(texts(ALL, FRRVTY)).toEqual([])
    expect(texts(OF_UNIT, FRRVTY)).toEqual([])
    expect(texts({ ...OF_UNIT, groups: [] }, FRRVTY)).toEqual([expect.stringMatching(/^not in the group frrvty: /)])
    expect(texts({ ...ALL, uid: 1000 }, FRRVTY)).toEqual([expect.stringMatching(/^not root: /)])
    expect(texts({ ...ALL, capabilities: 0n, groups: [FRRVTY] }, FRRVTY)).toHaveLength(
      Object.keys(UNIT_CAPABILITIES).length,
    )
  })

  it('names programs that are missing with their package', async () => {
    const without =
      (...names: string[]) =>
      (name: string) =>
        Promise.resolve(names.includes(name) ? null : name)
    expect(await checkInstalled(false, without('zebra', 'tc', 'nsenter'))).toEqual([
      { isFatal: true, text: 'no zebra: install the package frr' },
      { isFatal: false, text: 'no tc: documents with rates are refused; install the package iproute2' },
    ])
    expect(await checkInstalled(true, without('dnsmasq', 'tc', 'nsenter'))).toEqual([
      { isFatal: true, text: 'no nsenter: install the package util-linux' },
      { isFatal: true, text: 'no tc: install the package iproute2' },
    ])
  })

  it('names versions that the driver was not tried with', async () => {
    const rows = [
      ['OpenVPN', 'OpenVPN 2.6.14 x86_64-pc-linux-gnu', null],
      ['OpenVPN', 'OpenVPN 2.4.7 x86_64-pc-linux-gnu', 'OpenVPN 2.4 is unknown: the driver was tried with 2.6'],
      ['OpenVPN', '', 'OpenVPN of an unknown version: the driver was tried with 2.6'],
      ['FRR', 'bgpd version 8.4.4\nCopyright', null],
      ['FRR', 'bgpd version 9.1', 'FRR 9.1 is unknown: the driver was tried with 8.4'],
      ['FRR', 'bgpd version 10.2.1', 'FRR 10.2 has mgmtd, which the driver does not start: it was tried with 8.4'],
    ] as const
    const offenders = await findOffenders(rows)((name, output, text) => {
      expect(versionProblem(name, output)?.text ?? null).toBe(text)
    })
    expect(offenders).toEqual([])
  })

  it('names chains that drop by default, that of Docker among them, and not our own', () => {
    const chain = (family: string, table: string, name: string, hook: string, policy: string) => ({
      chain: { family, table, name, hook, policy, handle: 1, type: 'filter', prio: 0 },
    })
    const listing = {
      nftables: [
        { metainfo: {} },
        chain('inet', 'netloom_bandwidth', 'forward', 'forward', 'drop'),
        chain('ip', 'filter', 'FORWARD', 'forward', 'drop'),
        chain('ip', 'filter', 'OUTPUT', 'output', 'drop'),
        chain('inet', 'fw', 'in', 'input', 'accept'),
        { chain: { family: 'ip', table: 'filter', name: 'DOCKER-USER', handle: 2 } },
      ],
    }
    expect(firewallProblems(JSON.stringify(listing)).map(({ text }) => text)).toEqual([
      'chain ip filter FORWARD (of Docker) drops by default: it has to accept forwarded packets from and to ov*',
    ])
  })

  it('names managers of the network that remove or change what is ours', () => {
    const running = ['systemd-network', 'NetworkManager', 'zebra'].map((name) => ({
      name,
      command: `/usr/sbin/${name}`,
    }))
    expect(managerProblems([], '', '')).toEqual([])
    expect(managerProblems(running, '#ManageForeignRoutes=no\n', '')).toHaveLength(4)
    const networkd = '[Network]\nManageForeignRoutes=no\nManageForeignRoutingPolicyRules = no\n'
    const manager = '[keyfile]\nunmanaged-devices=interface-name:ov*\n'
    const own = [...running.slice(0, 2), { name: 'bgpd', command: 'bgpd\0--vty_socket\0/run/x' }]
    expect(managerProblems(own, networkd, manager)).toEqual([])
  })
})

const missing = missingTools()
const canRun = missing.length === 0 && hasNamespaces
if (!canRun) console.log(`skipped: capabilities (${missing.join(', ') || 'root and network namespaces'} needed)`)

describe.skipIf(!canRun)('on a real kernel', () => {
  let folder: string
  let spaces: Namespaces
  let router: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nl-check-'))
    await chmod(folder, 0o711)
    spaces = new Namespaces()
    router = spaces.add('c')
    spaces.connect([router, 'lan0', '10.13.1.1/24'], [spaces.add('l'), 'eth0', '10.13.1.2/24'])
    spaces.connect([router, 'wan0', '203.0.113.2/24'], [spaces.add('w'), 'eth0', '203.0.113.1/24'])
  })
  afterEach(async () => {
    spaces.remove()
    await rm(folder, { recursive: true, force: true })
  })

  const NAMES = Object.keys(UNIT_CAPABILITIES)
  async function openWith(names: readonly string[], name: string): Promise<ToolHost> {
    const [, , group] = (await readFile('/etc/group', 'utf8'))
      .split('\n')
      .find((line) => line.startsWith('frrvty:'))!
      .split(':')
    const list = ['-all', ...names.map((one) => `+${one.replace('CAP_', '').toLowerCase()}`)].join(',')
    const options = ['--bounding-set', list, '--inh-caps', list, '--groups', group!, '--no-new-privs']
    return spaces.openHost(router, join(folder, name), ['setpriv', ...options])
  }
  /** A device with every tool: BGP, DNS, rates, static routes. */
  const document = { ...CASES['dns-center']!, bandwidth_mbps: 50, lans: CASES['static-lan-routes-point']!.lans }
  const TOOLS = ['nft', 'ip', 'frr', 'dnsmasq', 'tc']

  it('the capabilities of the unit start, change, kill and stop everything, and the check finds nothing missing', async () => {
    const host = await openWith(NAMES, 'all')
    expect(await host.apply(document, TOOLS)).toMatchObject({ unsettled: [] })
    expect(Object.keys((await host.ask({})).pids!).toSorted()).toEqual(['bfdd', 'bgpd', 'dnsmasq', 'zebra'])
    expect(await host.apply(CASES['center']!, TOOLS)).toMatchObject({ unsettled: [] })
    expect((await host.ask({ check: true })).problems?.filter(({ isFatal }) => isFatal)).toEqual([])
    expect(await host.apply(null, TOOLS)).toMatchObject({ unsettled: [] })
    expect((await host.ask({})).pids).toEqual({})
  })

  it('each capability of the unit is needed', async () => {
    const rows = inject('isFull') ? NAMES : NAMES.slice(inject('seed') % NAMES.length).slice(0, 1)
    const offenders = await findOffenders(rows)(async (name) => {
      const host = await openWith(
        NAMES.filter((one) => one !== name),
        name,
      )
      const applied = await host.apply(document, TOOLS)
      const removed = applied.error || applied.failure ? {} : await host.apply(null, TOOLS)
      const refusals = [applied.error, applied.failure, removed.error].filter(Boolean)
      expect(refusals).toHaveLength(1)
      expect((await host.ask({ check: true })).problems?.map(({ text }) => text.split(':')[0])).toContain(`no ${name}`)
      spaces.endProcesses(router)
      runInside(router, 'ip', 'rule', 'flush')
      runInside(router, 'ip', 'rule', 'add', 'lookup', 'main')
    })
    expect(offenders).toEqual([])
  })

  it('the check names a rule in our range, a chain that drops, and strict filters', async () => {
    ip('-n', router, 'rule', 'add', 'pref', '150', 'from', '10.1.0.0/16', 'lookup', '7')
    runInside(
      router,
      'nft',
      'add table inet fw; add chain inet fw filtering { type filter hook forward priority 0; policy drop; }',
    )
    runInside(router, 'sysctl', '-qw', 'net.ipv4.conf.wan0.rp_filter=1')
    const host = await openWith(NAMES, 'check')
    const texts = (await host.ask({ check: true })).problems?.map(({ text }) => text)
    expect(texts).toEqual(
      expect.arrayContaining([
        'a policy rule of somebody else has priority 150: documents are refused (100 to 240 are ours)',
        'chain inet fw filtering drops by default: it has to accept forwarded packets from and to ov*',
        'rp_filter is 1 on wan0: the driver sets it to 2 on tunnels and LAN ports, not elsewhere',
      ]),
    )
  })
})
