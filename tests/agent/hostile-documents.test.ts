import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Outcome } from '#infra/agent/config/config-machine.ts'
import { ConfigRunner, readConfigRecord } from '#infra/agent/config/config-runner.ts'
import type { Driver } from '#infra/agent/drivers/driver.ts'
import { filesDriver } from '#infra/agent/drivers/files-driver.ts'
import { documentHash, readFrame } from '#infra/agent/hub/frames.ts'
import { memoryStore } from '#infra/agent/store.ts'
import { DOCUMENT } from '#contract/kernel/hub-limits.ts'
import type { RouterDocument } from '#contract/device/document.ts'
import { CLIENT_LINK, network, routerDocument } from './support/documents.ts'
import { FakeClock } from './support/fake-clock.ts'
import { configFrame } from './support/fake-hub.ts'
import { NETWORK, POP } from '#contract/network/limits.ts'
import { memoryDriver } from '#infra/simulator/virtual-device.ts'
import { findOffenders } from '#tests/support/offenders.ts'

let root: string
/** The device's own. */
let folder: string
beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'netloom-hostile-'))))
afterEach(() => rm(root, { recursive: true, force: true }))

const DRIVERS: Readonly<Record<string, () => Promise<Driver>>> = {
  files: () => filesDriver(folder),
  memory: async () => memoryDriver(),
}

/** Offers documents to a driver through the configuration of an agent: the reports of each, and whether anything was put on. */
async function createDevice(open: () => Promise<Driver>) {
  folder = await mkdtemp(join(root, 'device-'))
  const driver = await open()
  const reports: Outcome[] = []
  let staged = 0
  const store = memoryStore()
  const ports = {
    clock: new FakeClock(),
    store,
    driver: { ...driver, stage: (body: RouterDocument | null) => ((staged += 1), driver.stage(body)) },
    log: () => {},
    report: (outcome: Outcome) => void reports.push(outcome),
    onProof: (done: () => void) => done(),
    changed: () => {},
  }
  const runner = new ConfigRunner(ports, await readConfigRecord(store))
  await runner.start()
  await runner.dispatch({ type: 'welcomed', desiredVersion: 0 })
  const stagedAtStart = staged
  let version = 0
  return {
    staged: () => staged - stagedAtStart,
    async offer(body: unknown): Promise<Outcome | undefined> {
      version += 1
      const document = { version, hash: documentHash(body), body: body as RouterDocument }
      await runner.dispatch({ type: 'offered', document, intact: true, confirmMs: 120_000 })
      return reports.findLast((report) => report.version === version)
    },
  }
}

/** A sound document with one field replaced. */
const FIELDS: Readonly<Record<string, (text: unknown) => unknown>> = {
  'its router name': (text) => ({ ...routerDocument(network('N1', [CLIENT_LINK])), router_name: text }),
  'the number of a network': (text) => changed({ network_number: text }),
  'the role in a network': (text) => changed({ member_type: text }),
  'the ciphers': (text) => changed({ ciphers: text }),
  'the centre of an address': (text) => changed({ addresses: [{ ...network('N1').addresses[0], center: text }] }),
  'the segment of an address': (text) => changed({ addresses: [{ ...network('N1').addresses[0], segment: text }] }),
  'an address': (text) => changed({ addresses: [{ ...network('N1').addresses[0], ip: text }] }),
  'the software segment': (text) => changed({ software_segment: text }),
  'the name of a member': (text) =>
    changed({ members: [...network('N1').members, { router_name: text, member_type: 'point' }] }),
  'the id of a link': (text) => changed({ links: [{ ...CLIENT_LINK, id: text }] }),
  'the peer of a link': (text) => changed({ links: [{ ...CLIENT_LINK, peer: text }] }),
  'the role of a link': (text) => changed({ links: [{ ...CLIENT_LINK, role: text }] }),
  'the host of a link': (text) => changed({ links: [{ ...CLIENT_LINK, endpoint: { host: text, port: 5000 } }] }),
  'the key of a link': (text) => changed({ links: [{ ...CLIENT_LINK, key: text }] }),
}
const changed = (over: object) => ({ router_name: 'NL-P', networks: [{ ...network('N1', [CLIENT_LINK]), ...over }] })

const HOSTILE = [
  '$(touch /tmp/pwned)',
  '`reboot`',
  'NL-C; reboot',
  'NL-C | sh',
  'NL-C && sh',
  'NL-C > /etc/passwd',
  'NL-C\nup /bin/sh',
  'NL-C\r\nup /bin/sh',
  'NL-C\n',
  '\nNL-C',
  'NL-C\0',
  'NL-C\u001b[2J',
  'NL-C\u2028up',
  'NL-C\u202e',
  '../../etc/passwd',
  '..',
  '/etc/passwd',
  '--up /bin/sh',
  '"quoted"',
  "'quoted'",
  'back\\slash',
  '# comment',
  '%s%n',
  '*',
  '~root',
  '192.0.2.9 # x',
  '100.64.0.0/20\n',
  'N1:NL-P>NL-C\n',
  'N1:--up>NL-C',
  'N1:NL-P>-C',
  '组网',
  '',
  ' ',
  'x'.repeat(65_536),
  null,
  7,
  ['NL-C'],
] as const

describe.each(Object.entries(DRIVERS))('agent.md, Configuration lifecycle · the %s driver', (_, open) => {
  it('is given a sound document', async () => {
    const device = await createDevice(open)
    expect(await device.offer(changed({}))).toMatchObject({ state: 'confirmed' })
    expect(device.staged()).toBe(1)
  })

  it('never receives a field with a hostile text', async () => {
    const offenders = await findOffenders(Object.keys(FIELDS))(async (field) => {
      const device = await createDevice(open)
      const isOptional = field === 'the software segment'
      for (const text of HOSTILE.filter((text) => !(isOptional && text === null))) {
        const report = await device.offer(FIELDS[field]!(text))
        expect([text, report?.state]).toEqual([text, 'failed'])
        expect(report?.reason).toMatch(/^配置校验失败：[\u4e00-\u9fff\d，]+$/)
      }
      expect(device.staged()).toBe(0)
      expect(await readdir(folder)).toEqual([])
    })
    expect(offenders).toEqual([])
  })

  it.each([0, -1, 65_536, 1.5, '5000', null])('is never given %j as a port', async (port) => {
    const device = await createDevice(open)
    const report = await device.offer(changed({ links: [{ ...CLIENT_LINK, endpoint: { host: '192.0.2.9', port } }] }))
    expect([report?.state, device.staged()]).toEqual(['failed', 0])
  })

  it('is never given more networks, addresses, members or links than a router may have', async () => {
    const device = await createDevice(open)
    const many = <T>(amount: number, make: (n: number) => T) => Array.from({ length: amount }, (_, n) => make(n))
    const center = (n: number) => ({ center: `NL-${n}`, segment: '100.64.0.0/20', ip: '100.64.0.2' })
    const member = (n: number) => ({ router_name: n === 0 ? 'NL-P' : `NL-${n}`, member_type: 'point' })
    const link = (n: number) => ({ ...CLIENT_LINK, id: `N1:NL-${n}>NL-C`, key: n.toString(16).padStart(64, '0') })
    const tooMany = [
      routerDocument(...many(POP.networksPerNode + 1, (n) => network(`N${n}`))),
      changed({ addresses: many(NETWORK.membersMax + 1, center) }),
      changed({ members: many(NETWORK.membersMax + 1, member) }),
      changed({ links: many(NETWORK.membersMax + POP.nodesMax + 1, link) }),
    ]
    for (const body of tooMany) expect(await device.offer(body)).toMatchObject({ state: 'failed' })
    expect(device.staged()).toBe(0)
  })

  it.each([null, 7, 'text', [], {}, { router_name: 'NL-P' }, { router_name: 'NL-P', networks: {} }])(
    'is never given %j as a document',
    async (body) => {
      const device = await createDevice(open)
      expect(await device.offer(body)).toMatchObject({ state: 'failed' })
      expect(device.staged()).toBe(0)
    },
  )
})

describe('agent.md, Configuration lifecycle · a document with a setting that the driver does not carry', () => {
  it('is refused whole, with the setting in the reason', async () => {
    const device = await createDevice(async () => ({ ...memoryDriver(), settings: [] }))
    const [first, second] = [network('N1'), network('N2', [], 'sm')]
    expect(await device.offer(routerDocument(first, second))).toMatchObject({
      state: 'failed',
      reason: '设备版本过旧，不支持国密（SM4）',
    })
    expect(device.staged()).toBe(0)
    expect(await device.offer(routerDocument(first))).toMatchObject({ state: 'confirmed' })
  })
})

describe('agent.md, Configuration lifecycle · a frame with a document', () => {
  it('is read although the document breaks the grammar, so that the device can say why it refuses', () => {
    const frame = { ...configFrame(1, routerDocument()), body: FIELDS['the peer of a link']!('$(reboot)') }
    expect(readFrame(JSON.stringify(frame))).toEqual(frame)
  })

  it('is not even parsed where it is longer than any document', () => {
    const text = JSON.stringify({ ...configFrame(1, routerDocument()), rest: 'x'.repeat(DOCUMENT.maxChars) })
    expect(readFrame(text)).toBeNull()
  })
})
