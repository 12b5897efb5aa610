import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RouterDocument } from '#contract/device/document.ts'
import { SERVICES, center, centerNetwork, point, pointNetwork } from '../support/tunnel-parts.ts'
import { Authority } from './support/authority.ts'
import { Device, connectDevices } from './support/bed.ts'
import { renderingOf } from './support/renderings.ts'
import { canRunTunnels } from './support/real-tools.ts'

/** Keys and tokens with marks, on devices that run: the marks are in files of keys alone. */
const canRun = canRunTunnels('secrets of running devices')

const LIMIT = { timeout: 30_000, interval: 100 }
const MAIN = 'infra/agent/main.ts'
const DIAL = join(import.meta.dirname, 'support/dial-process.ts')
const mark = (bytes = 16) => randomBytes(bytes).toString('hex')
const server = SERVICES[1]!
const member = server.accounts[0]!

describe.skipIf(!canRun)('secrets of running devices', { timeout: 120_000 }, () => {
  let authority: Authority
  let a: Device
  let p: Device
  let place: string
  const children: ChildProcess[] = []
  const output: string[] = []
  beforeEach(() => {
    authority = new Authority()
    a = new Device('sa')
    p = new Device('sp')
    place = mkdtempSync(join(tmpdir(), 'nlx-place-'))
    connectDevices(a, '203.0.113.10/24', p, '203.0.113.31/24')
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(a.logs(), p.logs(), output.join(''))
    for (const child of children.splice(0)) child.kill('SIGKILL')
    await p.remove()
    await a.remove()
    rmSync(place, { recursive: true, force: true })
    authority.remove()
  })

  function run(device: Device, ...args: string[]): ChildProcess {
    const child = spawn('ip', ['netns', 'exec', device.namespace, process.execPath, ...args], { stdio: 'pipe' })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data: Buffer) => output.push(data.toString()))
    children.push(child)
    return child
  }

  it('are in no log, process list, other folder, text for people or output of `check`', async () => {
    const [forA, forP] = [authority.issue('NL-A', 'gateway'), authority.issue('NL-P1')]
    const [control, probe, token, late] = [mark(), mark(32), `good~${mark()}`, `late~${mark()}`]
    const equip = (document: RouterDocument, certificate: string) => {
      const { networks, ...rest } = authority.equip(document, certificate)
      const withMarks = ({ links, ...network }: (typeof networks)[number]) => ({
        ...network,
        control_key: control.repeat(16),
        links: links.map((link) => ({ ...link, key: probe })),
      })
      return { ...rest, networks: networks.map(withMarks) }
    }
    const documents = [
      equip(center(centerNetwork({ dns: ['10.12.0.53'] })), forA.certificate),
      equip(point(pointNetwork()), forP.certificate),
    ] as const
    for (const [device, { key }] of [
      [a, forA],
      [p, forP],
    ] as const) {
      mkdirSync(join(device.state, 'keys'), { mode: 0o700 })
      writeFileSync(join(device.state, 'keys/router.key'), key, { mode: 0o600 })
      device.start()
    }
    await a.refuse({ [late]: 'DIAL_TOKEN_EXPIRED' })
    await a.apply(documents[0])
    await p.apply(documents[1])

    // a dial that is let in, and one that is refused
    const offer = {
      mode: 1,
      ciphers: 'default',
      dns: [],
      servers: [{ remotes: [{ host: '203.0.113.10', port: server.port }] }],
      router_name: member.name,
      token,
      token_expire_time: 43_200,
      ca: authority.certificate,
      control_key: control.repeat(16),
    }
    const offers = mkdtempSync(join(tmpdir(), 'nlx-offers-'))
    writeFileSync(join(offers, '1'), JSON.stringify(offer))
    writeFileSync(join(offers, '2'), JSON.stringify({ ...offer, token: late }))
    run(p, DIAL, join(place, '1'), join(offers, '1'))
    await vi.waitFor(() => expect(output.join('')).toContain(`as ${member.ip}`), LIMIT)
    const refused = run(p, DIAL, join(place, '2'), join(offers, '2'))
    await vi.waitFor(() => expect(output.join('')).toContain('refused: 拨入凭证已过期'), LIMIT)
    refused.kill('SIGTERM')
    expect((await a.asked()).map(({ secret }) => secret)).toEqual(expect.arrayContaining([token, late]))

    // the agent's own program adopts what runs; its hub is away
    await a.kill()
    const confirmed = { version: 1, hash: 'a'.repeat(64), body: documents[0] }
    writeFileSync(join(a.state, 'config.json'), JSON.stringify({ confirmed, unreported: null }), { mode: 0o600 })
    run(
      a,
      MAIN,
      '--server=http://127.0.0.1:1',
      '--serial=NL-A',
      `--state=${a.state}`,
      '--driver=linux',
      '--wan=wan0',
      `--run=${a.run}`,
    )
    await vi.waitFor(() => expect(output.join('')).toContain('the server cannot be reached'), LIMIT)
    await once(run(a, MAIN, 'check'), 'close')

    const marks: Readonly<Record<string, string>> = {
      'control key': control,
      'probe key': probe,
      'key of the centre': lineOf(forA.key),
      'key of the point': lineOf(forP.key),
      'key of dial tokens': lineOf(readFileSync(join(a.state, 'keys/N1/tokens.key'), 'utf8')),
      'key of the agent': readKey(a.state),
      'dial token': token,
      'refused dial token': late,
    }
    const people = documents.flatMap((document) =>
      [...renderingOf(document).files].filter(([path]) => path.startsWith('network-')).map(([, text]) => text),
    )
    const places = [
      ...listProcesses(),
      ...[a.run, p.run].flatMap((folder) => listTexts(folder).map(([path, text]) => [`run/${path}`, text] as const)),
      ...listTexts(a.state).map(([path, text]) => [`centre/${path}`, text] as const),
      ...listTexts(p.state).map(([path, text]) => [`point/${path}`, text] as const),
      ...listTexts(place).map(([path, text]) => [`client/${path}`, text] as const),
      ['output of the programs', [...output, ...a.log, ...p.log].join('')] as const,
      ['text for people', people.join('\n')] as const,
    ]
    rmSync(offers, { recursive: true })
    expect(output.join('')).toContain('The driver linux can start.')
    expect(places.map(([path]) => path)).toEqual(
      expect.arrayContaining(['run/ov1r.log', 'run/bgpd.log', 'run/dnsmasq.log']),
    )
    const found = Object.entries(marks).flatMap(([name, text]) =>
      places.filter((one) => one[1].includes(text)).map(([path]) => `${name}: ${path}`),
    )
    expect(found.toSorted()).toEqual(KEPT)
  })
})

/** Files that hold keys; all are for root alone (openvpn-real.test.ts). */
const KEPT = [
  'control key: centre/config.json',
  'control key: centre/keys/N1/control.key',
  'control key: client/1/dial/N1/control.key',
  'control key: client/2/dial/N1/control.key',
  'control key: point/keys/N1/control.key',
  'key of dial tokens: centre/keys/N1/tokens.key',
  'key of the agent: centre/identity.json',
  'key of the centre: centre/keys/router.key',
  'key of the point: point/keys/router.key',
  'probe key: centre/config.json',
]

/** A line of a key's text that no other key has. */
const lineOf = (pem: string): string => pem.split('\n')[2] ?? ''

const readKey = (state: string): string => {
  const identity = JSON.parse(readFileSync(join(state, 'identity.json'), 'utf8')) as Record<string, unknown>
  return /"d":"([^"]+)"/.exec(JSON.stringify(identity))?.[1] ?? JSON.stringify(identity)
}

const listTexts = (folder: string): (readonly [path: string, text: string])[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(folder, path), readFileSync(path, 'latin1')])

/** Command lines and environments of all processes of the machine. */
const listProcesses = (): (readonly [path: string, text: string])[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) =>
      ['cmdline', 'environ'].map((name) => [`/proc/${pid}/${name}`, readOr(`/proc/${pid}/${name}`)] as const),
    )

function readOr(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return '' // it has ended
  }
}
