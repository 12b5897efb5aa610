import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { device as deviceOf, members, network, pair } from '../support/tunnel-parts.ts'
import { Authority } from './support/authority.ts'
import { Device, connectDevices } from './support/bed.ts'
import { canRunTunnels } from './support/real-tools.ts'

/** A real link of two points, of which either may be behind NAT. */
const canRun = canRunTunnels('tunnels are not run')

const LIMIT = { timeout: 20_000, interval: 100 }
const TUNNEL = 'ov1x1'
const ADDRESS = { 'NL-P1': '100.127.1.1', 'NL-P2': '100.127.1.2' } as const
type Name = keyof typeof ADDRESS
/** Address with a port that NAT has chosen. */
const HIDDEN = 'behind NAT'

/** Parts of a router with NAT: what leaves from this port gets another one, and nothing new comes in. */
const natRules = (port: number) => `
table ip nat {
  chain out {
    type nat hook postrouting priority 100
    oifname "wan0" udp sport ${port} masquerade to :40000-50000 random
  }
}
table ip filter {
  chain in {
    type filter hook input priority 0
    iifname "wan0" ct state new drop
  }
}`

describe.skipIf(!canRun)('a link of two points', { timeout: 120_000 }, () => {
  let authority: Authority
  let devices: Record<Name, Device>
  let certificates: Record<Name, string>

  beforeEach(() => {
    authority = new Authority()
    const keys = { 'NL-P1': authority.issue('NL-P1', 'both'), 'NL-P2': authority.issue('NL-P2') }
    certificates = { 'NL-P1': keys['NL-P1'].certificate, 'NL-P2': keys['NL-P2'].certificate }
    devices = { 'NL-P1': new Device('p1'), 'NL-P2': new Device('p2') }
    connectDevices(devices['NL-P1'], '203.0.113.31/24', devices['NL-P2'], '203.0.113.32/24')
    for (const name of ['NL-P1', 'NL-P2'] as const) {
      const { state } = devices[name]
      mkdirSync(join(state, 'keys'), { mode: 0o700 })
      writeFileSync(join(state, 'keys/router.key'), keys[name].key, { mode: 0o600 })
      devices[name].start()
    }
  })
  afterEach(async ({ task }) => {
    const all = Object.values(devices)
    if (task.result?.state === 'fail') console.log(all.map((device) => device.logs()).join('\n'))
    for (const device of all) await device.remove()
    authority.remove()
  })

  function documentOf(name: Name) {
    const own = network({
      members: members('NL-P1', 'NL-P2'),
      links: [pair(name === 'NL-P1' ? 'server' : 'client')],
    })
    const id = name === 'NL-P1' ? 21 : 22
    return authority.equip(deviceOf(name, id, `10.13.${id - 20}.0/24`, [own]), certificates[name])
  }
  const applyAll = async () => {
    for (const name of ['NL-P1', 'NL-P2'] as const) await devices[name].apply(documentOf(name))
  }
  const reaches = () => devices['NL-P1'].reaches(ADDRESS['NL-P2']) && devices['NL-P2'].reaches(ADDRESS['NL-P1'])
  const isUp = () => vi.waitFor(() => expect(reaches()).toBe(true), LIMIT)
  const setNat = (name: Name, port: number) => devices[name].exec('nft', natRules(port))

  it.each([
    ['with both ends public', null, 0, ['203.0.113.32:24001', '203.0.113.31:24000']],
    ['with its client end behind NAT', 'NL-P2', 24_001, [HIDDEN, '203.0.113.31:24000']],
    ['with its server end behind NAT', 'NL-P1', 24_000, ['203.0.113.32:24001', HIDDEN]],
  ] as const)('connects %s, and each end names the other', async (_, behind, port, expected) => {
    if (behind !== null) setNat(behind, port)
    await applyAll()
    await isUp()
    const seen = await vi.waitFor(async () => {
      const [atServer, atClient] = [await devices['NL-P1'].peer(TUNNEL), await devices['NL-P2'].peer(TUNNEL)]
      expect([atServer?.cipher, atClient?.cipher]).toEqual(['AES-256-GCM', 'AES-256-GCM'])
      return [atServer!.remote, atClient!.remote]
    }, LIMIT)
    expect(seen.map((remote) => (/:[45]\d{4}$/.test(remote) ? HIDDEN : remote))).toEqual(expected)
  })

  it('returns after a cut, after the end of a process, and is adopted unchanged by the next driver', async () => {
    await applyAll()
    await isUp()
    const { 'NL-P1': server, 'NL-P2': client } = devices
    const pids = client.pids()
    await client.kill()
    client.start()
    await client.apply(documentOf('NL-P2'))
    expect(client.pids()).toEqual(pids)

    client.exec('ip', 'link', 'set', 'wan0', 'down')
    await vi.waitFor(async () => expect(await server.tunnel(TUNNEL)).toMatchObject({ isUp: false }), LIMIT)
    client.exec('ip', 'link', 'set', 'wan0', 'up')
    await isUp()
    expect(client.pids()).toEqual(pids)

    process.kill(pids[TUNNEL]!, 'SIGKILL')
    await vi.waitFor(() => expect(client.pids()[TUNNEL]).not.toBe(pids[TUNNEL]), LIMIT)
    await isUp()
  })

  it('ends with the revocation of one end, and at a job for it', async () => {
    await applyAll()
    await isUp()
    const { 'NL-P1': server } = devices
    expect(await server.disconnect('N1', 'NL-P2')).toBe(true)
    await isUp()
    authority.revoke('NL-P2')
    await server.apply(documentOf('NL-P1'))
    await vi.waitFor(async () => expect(await server.tunnel(TUNNEL)).toMatchObject({ isUp: false }), LIMIT)
    expect(reaches()).toBe(false)
  })

  it('leaves nothing behind without a document', async () => {
    await applyAll()
    await isUp()
    for (const device of Object.values(devices)) {
      await device.apply(null)
      expect(device.exec('ip', '-br', 'link')).not.toContain('ov')
      expect(existsSync(join(device.run, 'ccd', TUNNEL))).toBe(false)
    }
  })
})
