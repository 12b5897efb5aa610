import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import type { RouterDocument } from '#contract/device/document.ts'
import { type SentNetwork, SERVICES, access, center, centerNetwork } from '../support/tunnel-parts.ts'
import { Authority } from './support/authority.ts'
import { Device } from './support/bed.ts'
import { canRunTunnels } from './support/real-tools.ts'

/** Crashes of the agent at random moments of an apply, with real processes. */
const canRun = canRunTunnels('no agent is killed')
const CRASHES = inject('isFull') ? 200 : 5
const APPLY_MS = 900

/** Empty for a process that has ended, as that which lists them. */
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8')
  } catch {
    return ''
  }
}

describe.skipIf(!canRun)('an agent that is killed while it applies a document', { timeout: CRASHES * 20_000 }, () => {
  let authority: Authority
  let a: Device
  let certificate: string
  beforeEach(() => {
    authority = new Authority()
    const issued = authority.issue('NL-A', 'both')
    certificate = issued.certificate
    a = new Device('ac')
    mkdirSync(join(a.state, 'keys'), { mode: 0o700 })
    writeFileSync(join(a.state, 'keys/router.key'), issued.key, { mode: 0o600 })
    a.start()
  })
  afterEach(async () => {
    await a.remove()
    authority.remove()
  })

  /** A network that no document changes. */
  const second: SentNetwork = centerNetwork({
    network_number: 'N2',
    links: [{ ...access('N2', 7, 'A').server, local_ip: '100.66.0.1', remote_ip: '100.66.0.27' }],
    servers: [{ ...SERVICES[0]!, port: 20_100, ip: '100.66.0.1' }],
  })
  const documentOf = (...networks: SentNetwork[]): RouterDocument =>
    authority.equip(center(...networks, second), certificate)
  const documents = (): readonly RouterDocument[] => [
    documentOf(centerNetwork()),
    documentOf(centerNetwork({ ciphers: 'sm', links: [access('N1', 3, 'A').server] })),
    documentOf(centerNetwork({ servers: [{ ...SERVICES[0]!, port: 20_055 }] })),
    documentOf(),
  ]

  function stateOf({ networks }: RouterDocument) {
    const first = networks.find(({ network_number: number }) => number === 'N1')
    return {
      processes: [...(first?.servers.map(({ service }) => `ov1${service[0]}`) ?? []), 'ov2r'].toSorted(),
      clients: (first?.links ?? []).map(({ peer }) => peer).toSorted(),
    }
  }
  const list = (...path: string[]) =>
    existsSync(join(a.run, ...path)) ? readdirSync(join(a.run, ...path)).toSorted() : []
  const running = () =>
    a
      .exec('ip', 'netns', 'pids', a.namespace)
      .split('\n')
      .filter((pid) => pid !== '' && commandOf(pid) === 'openvpn\n')
      .map(Number)

  it('comes back with the document before, whole, and a network that stays keeps its process', async () => {
    const all = documents()
    let before = all[0]!
    await a.apply(before)
    const kept = a.pids()['ov2r']
    let random = inject('seed') || 1
    const next = () => (random = (random * 48_271) % 2_147_483_647) / 2_147_483_647
    for (let crash = 0; crash < CRASHES; crash += 1) {
      const target = all[Math.floor(next() * all.length)]!
      const applied = a.apply(target).catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, next() * APPLY_MS)) // the random moment
      await a.kill()
      await applied
      a.start()
      const confirmed = next() < 0.5 ? before : target
      await a.apply(confirmed)
      expect(await a.apply(confirmed)).toEqual([])
      const state = {
        processes: Object.keys(a.pids()).toSorted(),
        clients: list('ccd/ov1r').filter((name) => !name.startsWith('.')),
      }
      expect([crash, state]).toEqual([crash, stateOf(confirmed)])
      expect(running().toSorted()).toEqual(Object.values(a.pids()).toSorted())
      expect(a.pids()['ov2r']).toBe(kept)
      before = confirmed
    }
    await a.apply(null)
    expect(running()).toEqual([])
  })
})
