import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:net'
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
import { agentFrame } from '#contract/kernel/protocol.ts'
import { checkDocument } from '#infra/agent/config/check-document.ts'
import { LinuxDriver } from '#infra/agent/drivers/linux/linux-driver.ts'
import { VtyClient } from '#infra/agent/drivers/linux/frr/vty.ts'
import { decideAdmission } from '#infra/agent/drivers/linux/openvpn/admission.ts'
import {
  type ClientBlock,
  type ManagementEvent,
  readManagementLine,
  readSession,
} from '#infra/agent/drivers/linux/openvpn/management-lines.ts'
import { type OpenvpnStep, planOpenvpn, settledOpenvpn } from '#infra/agent/drivers/linux/openvpn/plan.ts'
import {
  observeFiles,
  removeClients,
  writeClients,
  writeKeys,
  writeRevoked,
} from '#infra/agent/drivers/linux/openvpn/tunnel-files.ts'
import { type OpenvpnWanted, wantedKeys, wantedOpenvpn } from '#infra/agent/drivers/linux/openvpn/wanted.ts'
import type { Folders } from '#infra/agent/drivers/render/target.ts'
import { silentLog } from '#infra/agent/log.ts'
import type { Dialling } from '#infra/agent/reports/dial-requests.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { renderingOf, withKeys } from './linux/support/renderings.ts'
import { FULL, leavesOf, withValue } from './support/full-documents.ts'
import { HOSTILE, HOSTILE_TEXTS, TRICKY_MEMBERS, TRICKY_NAMES } from './support/hostile-texts.ts'
import { TARGET } from './support/render-case.ts'
import { SERVICES, access, center, centerNetwork } from './support/tunnel-parts.ts'

let root: string
/** The device's own. */
let folder: string
beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'netloom-hostile-'))))
afterEach(() => rm(root, { recursive: true, force: true }))

const DRIVERS: Readonly<Record<string, () => Promise<Driver>>> = {
  files: () => filesDriver(folder),
  memory: async () => memoryDriver(),
  linux: async () => {
    const driver = new LinuxDriver({
      tools: [],
      store: memoryStore(),
      log: silentLog,
      readTarget: async () => TARGET,
      checkAddresses: () => null,
    })
    driver.close()
    return driver
  },
}

const toDriver = (driver: Driver): Driver => ({
  ...driver,
  name: driver.name,
  validate: (document) => driver.validate(document),
})

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
    driver: { ...toDriver(driver), stage: (body: RouterDocument | null) => ((staged += 1), driver.stage(body)) },
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

describe('agent.md, Driver `linux` · a text in any field', () => {
  const leaves = Object.values(FULL).flatMap((document) =>
    leavesOf(document)
      .filter(([, , value]) => typeof value === 'string')
      .map((leaf) => ({ document, leaf })),
  )
  const byPath = [...new Map(leaves.map((each) => [`${each.document.router_name} ${each.leaf[0]}`, each]))]

  it('is refused by the grammar, or gives the files of the sound document with other names', async () => {
    const offenders = await findOffenders(byPath)((_, { document, leaf: [, keys] }) => {
      const paths = pathsOf(document)
      for (const text of HOSTILE_TEXTS) {
        const body = withValue(document, keys, text)
        if (checkDocument(body) !== null) continue
        expect(TRICKY_NAMES).toContain(text)
        expect(pathsOf(body as RouterDocument).map((path) => path.replaceAll(text, ''))).toHaveLength(paths.length)
      }
    })
    expect(offenders).toEqual([])
  })

  /** A centre whose network, or whose peer and member of software, has this name. */
  const named = {
    network: (name: string) => withKeys(center(centerNetwork({ network_number: name, links: linksOf(name) }))),
    member: (name: string) =>
      withKeys(
        center(
          centerNetwork({
            servers: SERVICES.map((server) => ({
              ...server,
              accounts: server.accounts.map((one) => ({ ...one, name })),
            })),
            links: [{ ...access('N1', 1, 'A').server, peer: name }],
          }),
        ),
      ),
  }
  const linksOf = (number: string) => [{ ...access('N1', 1, 'A').server, id: `${number}:NL-P1>NL-A` }]
  const rows = [
    ...TRICKY_NAMES.map((name) => ['network', name] as const),
    ...TRICKY_MEMBERS.map((name) => ['member', name] as const),
  ]

  it('that names a network or member is a file of its own, is planned once, and is gone with its name', async () => {
    const offenders = await findOffenders(rows)(async (kind, name) => {
      const document = named[kind](name)
      expect(checkDocument(document)).toBeNull()
      const folders = { keys: join(root, kind, name, 'state/keys'), shared: join(root, kind, name, 'run') }
      const wanted = { ...wantedOpenvpn(renderingOf(document)), folders }
      const nothing = wantedOpenvpn(null)
      const settled = settledOpenvpn(wanted)
      expect(planOpenvpn(settled, wanted)).toEqual([])
      expect(planOpenvpn(settledOpenvpn(nothing), wanted).map(({ action }) => action)).toContain('start')
      await writeAll(folders, planOpenvpn(settledOpenvpn(nothing), wanted), wanted)
      const files = await observeFiles(folders)
      expect(planOpenvpn({ ...settled, ...files }, wanted)).toEqual([])
      await writeAll(folders, planOpenvpn({ ...settled, ...files }, nothing), nothing)
      expect(await listFiles(join(root, kind, name))).toEqual([])
    })
    expect(offenders).toEqual([])
    expect(await readdir(root)).toEqual(['member', 'network'])
    expect((await readdir(join(root, 'member'))).toSorted()).toEqual([...TRICKY_MEMBERS].toSorted())
  })
})

const pathsOf = (document: RouterDocument) => [...renderingOf(document).files.keys()]

/** Runs the steps that write files. */
async function writeAll(folders: Folders, steps: readonly OpenvpnStep[], wanted: OpenvpnWanted): Promise<void> {
  for (const step of steps) {
    if (step.action === 'keys') await writeKeys(folders, step.number, wantedKeys(wanted, step.number))
    if (step.action === 'revoked')
      await writeRevoked(folders, step.number, wantedKeys(wanted, step.number)?.revoked ?? null)
    if (step.action === 'addClients' || step.action === 'moveClients')
      await writeClients(folders, step.device, step.names, wanted.processes[step.device]?.clients ?? {})
    if (step.action === 'stop') for (const device of step.devices) await removeClients(folders, device)
  }
}

/** Message of the refusal of a command; null for one that is sent. */
async function ask(client: VtyClient, text: string): Promise<string | null> {
  try {
    await client.ask(text)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

const listFiles = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => !entry.isDirectory())

describe('agent.md, Driver `linux` · values of a client', () => {
  const MEMBER = 'a.b@qiming'
  const wanted = wantedOpenvpn(renderingOf(withKeys(center(centerNetwork())))).processes['ov1s']!
  const ALLOWED = /^client-auth 3 1\nifconfig-push [\d.]+ [\d.]+\n(push "[\w. -]+"\n)*END$/
  const DENIED = /^client-deny 3 1 "refused" "[^"\\\p{Cc}]*"$/u
  const NAMES = [
    'username',
    'password',
    'common_name',
    'IV_PLAT',
    'IV_VER',
    'untrusted_ip',
    'session_state',
    'X509_0_CN',
  ]

  /** The client's request as OpenVPN prints it, a line each. */
  function read(env: readonly (readonly [string, string])[]): ManagementEvent[] {
    let block: ClientBlock | null = null
    const lines = [
      '>CLIENT:CONNECT,3,1',
      ...env.map(([name, value]) => `>CLIENT:ENV,${name}=${value}`),
      '>CLIENT:ENV,END',
    ]
    return lines.flatMap((line) => {
      const result = readManagementLine(line, block)
      block = result.block
      return result.event ?? []
    })
  }

  const KEPT = { id: 'S1', network: wanted.network, name: MEMBER, profile: null, version: null }

  it('make no command but the admission, and a frame that the hub reads', async () => {
    const offenders = await findOffenders(NAMES.flatMap((name) => HOSTILE_TEXTS.map((text) => [name, text] as const)))(
      async (name, text) => {
        for (const ok of [true, false]) {
          const env = [
            [name, text],
            ['username', MEMBER],
            ['password', 'token'],
          ] as const
          const [client] = read(env)
          if (client?.type !== 'client') throw new Error('no request')
          const asked: Dialling[] = []
          const { command, admitted } = await decideAdmission(client, wanted, {
            async authorizeDial(dialling) {
              asked.push(dialling)
              return { ok, reason: text }
            },
            entryTime: async () => 0,
            sessions: { find: () => KEPT, add: () => {}, endings: () => 0 },
          })
          expect(command).toMatch(ok && (name !== 'username' || text === MEMBER) ? ALLOWED : DENIED)
          expect(admitted ?? MEMBER).toBe(MEMBER)
          const frame: unknown = JSON.parse(JSON.stringify({ t: 'client_auth', id: '1', ...asked[0] }))
          expect(agentFrame.safeParse(frame).error).toBeUndefined()
        }
      },
    )
    expect(offenders).toEqual([])
  })

  it('in a list of sessions move no other column', () => {
    for (const text of HOSTILE_TEXTS) {
      const session = readSession(
        `CLIENT_LIST\t${text.replaceAll(/[\n\t]/g, '_')}\t192.0.2.1:1\t\t\t1\t2\td\t3\tUNDEF\t7\t0\tC`,
      )
      expect(session).toMatchObject({ cid: 7 })
    }
  })

  it('and texts of documents are one command to a routing daemon, or none', async () => {
    const path = join(root, 'vty')
    const received: string[] = []
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', (data) => {
        received.push(data.toString())
        socket.write(Buffer.alloc(4))
      })
    })
    await new Promise<void>((done) => server.listen(path, done))
    const client = await VtyClient.open(path)
    for (const text of HOSTILE_TEXTS.filter((each) => each.length < 100)) {
      received.length = 0
      const refusal = await ask(client, text)
      const sent = [text, null, `${Buffer.from(text).toString()}\0`]
      const refused = [text, expect.stringMatching(/^not one command/), '']
      expect([text, refusal, received.join('')]).toEqual(/[\n\r\0]/.test(text) ? refused : sent)
    }
    client.close()
    server.close()
  })
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
