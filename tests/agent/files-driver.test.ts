import { mkdtemp, readFile, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RouterDocument } from '#contract/device/document.ts'
import { filesDriver } from '#infra/agent/drivers/files-driver.ts'
import { CLIENT_LINK, KEY, network, routerDocument } from './support/documents.ts'
import { TARGET } from './support/render-case.ts'
import { CASES } from './support/tunnel-documents.ts'

let folder: string
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'netloom-driver-'))))
afterEach(() => rm(folder, { recursive: true, force: true }))

const put = async (document: RouterDocument | null) => {
  const staged = await (await filesDriver(folder, async () => TARGET)).stage(document)
  await staged.apply()
  return staged.changed
}
const current = () => readdir(join(folder, 'current')).then((names) => names.toSorted())

describe('the files driver', () => {
  it('writes one JSON and a readable text for each network, without keys in the text', async () => {
    await put(routerDocument(network('N1', [CLIENT_LINK]), network('N2')))
    expect(await current()).toEqual(['network-N1.txt', 'network-N2.txt', 'router.json'])
    const text = await readFile(join(folder, 'current/network-N1.txt'), 'utf8')
    expect(text).toContain('client NL-C  to 192.0.2.9 port 5000')
    expect(text).toContain('100.64.0.2 in 100.64.0.0/20')
    expect(text).not.toContain(KEY)
    expect(JSON.parse(await readFile(join(folder, 'current/router.json'), 'utf8'))).toEqual(
      routerDocument(network('N1', [CLIENT_LINK]), network('N2')),
    )
    expect((await stat(join(folder, 'current/router.json'))).mode & 0o077).toBe(0)
  })

  it('changes nothing before apply', async () => {
    await put(routerDocument(network('N1')))
    const staged = await (await filesDriver(folder)).stage(routerDocument(network('N2')))
    expect(await current()).toEqual(['network-N1.txt', 'router.json'])
    expect(staged.changed).toEqual(['N1', 'N2'])
    await staged.apply()
    expect(await current()).toEqual(['network-N2.txt', 'router.json'])
  })

  it('names only changed networks and keeps the files of the others', async () => {
    await put(routerDocument(network('N1'), network('N2')))
    const before = await stat(join(folder, 'current/network-N1.txt'))
    expect(await put(routerDocument(network('N1'), network('N2', [], 'sm')))).toEqual(['N2'])
    expect((await stat(join(folder, 'current/network-N1.txt'))).ino).toBe(before.ino)
    expect(await put(routerDocument(network('N1'), network('N2', [], 'sm')))).toEqual([])
  })

  it('keeps one release only, also after interrupted stages', async () => {
    await put(routerDocument(network('N1')))
    await (await filesDriver(folder)).stage(routerDocument(network('N3')))
    await put(routerDocument(network('N2')))
    expect((await readdir(folder)).toSorted()).toEqual(['current', await readlink(join(folder, 'current'))].toSorted())
  })

  it('repairs manual changes', async () => {
    await put(routerDocument(network('N1')))
    await writeFile(join(folder, 'current/network-N1.txt'), 'mine')
    expect(await put(routerDocument(network('N1')))).toEqual(['N1'])
    expect(await readFile(join(folder, 'current/network-N1.txt'), 'utf8')).toContain('network N1')
  })

  it('removes everything for a null document', async () => {
    await put(routerDocument(network('N1')))
    expect(await put(null)).toEqual(['N1'])
    expect(await readdir(folder)).toEqual([])
  })
})

describe('directory 3 · a bandwidth limit that is lifted is taken off the device', () => {
  const device = (bandwidth_mbps?: number): RouterDocument => ({
    ...routerDocument(network('N1')),
    ...(bandwidth_mbps !== undefined && { bandwidth_mbps }),
  })
  const read = (path: string) => readFile(join(folder, 'current', path), 'utf8').catch(() => null)
  const files = async () => ({ tc: await read('tc/bandwidth.tc'), nft: await read('nft/bandwidth.nft') })
  const limited = (rate: number) =>
    ['wan0', 'lan0', 'lan1']
      .map((name) => `qdisc replace dev ${name} root handle 6e6c: tbf rate ${rate}mbit burst 64kb latency 100ms\n`)
      .join('')
  const LIFTED = ['wan0', 'lan0', 'lan1']
    .map((name) => `qdisc replace dev ${name} root pfifo\nqdisc del dev ${name} root\n`)
    .join('')
  const NO_TABLE = 'table inet netloom_bandwidth {}\ndelete table inet netloom_bandwidth\n'

  it('that never was a SaaS device has no command', async () => {
    await put(device())
    expect(await files()).toEqual({ tc: null, nft: null })
  })

  it('by commands of the next document, again at each repetition, and until it is limited anew', async () => {
    await put(device(50))
    expect(await files()).toEqual({ tc: limited(50), nft: null })
    for (let time = 0; time < 2; time++) {
      await put(device())
      expect(await files()).toEqual({ tc: LIFTED, nft: null })
    }
    await put(device(20))
    expect(await files()).toEqual({ tc: limited(20), nft: null })
  })

  it('of a device that is switched off, and on again: its filter goes with it', async () => {
    await put(device(50))
    await put(device(0))
    const off = await files()
    expect(off.tc).toBe(LIFTED)
    expect(off.nft?.startsWith(NO_TABLE)).toBe(true)
    expect(off.nft).toContain('policy drop;')
    await put(device(50))
    expect(await files()).toEqual({ tc: limited(50), nft: NO_TABLE })
    await put(device())
    expect(await files()).toEqual({ tc: LIFTED, nft: NO_TABLE })
  })

  it('of a device that leaves the account, of which nothing else remains', async () => {
    await put(device(50))
    await put(null)
    expect(await readdir(join(folder, 'current'), { recursive: true })).toEqual(['tc', 'tc/bandwidth.tc'])
    expect(await files()).toEqual({ tc: LIFTED, nft: null })
    await put(null)
    expect(await files()).toEqual({ tc: LIFTED, nft: null })
  })
})

describe('files of the tools', () => {
  const current = () => readdir(join(folder, 'current'), { recursive: true }).then((names) => names.toSorted())
  const both = CASES['center-and-point-of-another-network']!
  const only = (number: string) => ({ ...both, networks: both.networks.filter((n) => n.network_number === number) })
  const FOLDERS = ['frr', 'ip', 'nft', 'openvpn', 'openvpn/ccd', 'openvpn/ccd/ov1r']
  const ALWAYS = ['frr/bgpd.conf', 'ip/netloom.ip', 'nft/netloom.nft', 'router.json', 'slots.json']
  const FIRST = [
    'network-N1.txt',
    'openvpn/ccd/ov1r/.keep',
    'openvpn/ccd/ov1r/NL-P1',
    'openvpn/ccd/ov1r/NL-P2',
    'openvpn/ov1r.conf',
    'openvpn/ov1s.conf',
    'openvpn/ov1s.push',
  ]
  const SECOND = ['network-N2.txt', 'openvpn/ov2c1.conf']

  it('stand beside the document, for its owner alone', async () => {
    await put(both)
    expect(await current()).toEqual([...FOLDERS, ...ALWAYS, ...FIRST, ...SECOND].toSorted())
    for (const path of ['openvpn/ov1r.conf', 'openvpn/ccd', 'frr/bgpd.conf']) {
      expect((await stat(join(folder, 'current', path))).mode & 0o077).toBe(0)
    }
  })

  it('of a network that left go, and those of one that stays keep their names', async () => {
    await put(both)
    const before = await stat(join(folder, 'current/openvpn/ov2c1.conf'))
    expect(await put(only('N2'))).toEqual(['N1'])
    expect(await current()).toEqual(['frr', 'ip', 'nft', 'openvpn', ...ALWAYS, ...SECOND].toSorted())
    expect((await stat(join(folder, 'current/openvpn/ov2c1.conf'))).ino).toBe(before.ino)
    expect(await put(both)).toEqual(['N1'])
    expect(await current()).toContain('openvpn/ov1r.conf')
  })

  it('are left alone where the document says the same, and restored where somebody changed them', async () => {
    await put(both)
    const place = await readlink(join(folder, 'current'))
    expect(await put(both)).toEqual([])
    expect(await readlink(join(folder, 'current'))).toBe(place)
    const config = join(folder, 'current/openvpn/ov1r.conf')
    const text = await readFile(config, 'utf8')
    await writeFile(config, 'up /bin/sh')
    expect(await put(both)).toEqual(['N1', 'N2'])
    expect(await readFile(config, 'utf8')).toBe(text)
  })

  it('hold no key', async () => {
    await put(both)
    const names = (await current()).filter((name) => name !== 'router.json' && /\.|NL-/.test(name))
    for (const name of names) expect(await readFile(join(folder, 'current', name), 'utf8')).not.toContain(KEY)
  })

  it('are not made of a document whose parts contradict each other: it is refused whole', async () => {
    const driver = await filesDriver(folder, async () => TARGET)
    const [first] = both.networks
    const [server] = first!.servers
    const clash = {
      ...both,
      networks: [{ ...first!, servers: [server!, { ...first!.servers[1]!, port: server!.port }] }],
    }
    expect(await driver.validate(clash)).toEqual({ reason: '配置校验失败：端口20000已被占用' })
    expect(await driver.validate(both)).toBeNull()
    expect(await readdir(folder)).toEqual([])
  })

  it('are not made of a document of protocol 1', async () => {
    await put(routerDocument(network('N1', [CLIENT_LINK])))
    expect(await current()).toEqual(['network-N1.txt', 'router.json'])
  })
})
