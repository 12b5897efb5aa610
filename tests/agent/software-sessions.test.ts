import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { DialReport } from '#contract/kernel/protocol.ts'
import { filesDriver } from '#infra/agent/drivers/files-driver.ts'
import { virtualDials } from '#infra/simulator/virtual-dials.ts'
import { memoryDriver } from '#infra/simulator/virtual-device.ts'
import { atEnd, closeAll, connected, createAgent, createHub } from './support/agents.ts'
import { network, routerDocument } from './support/documents.ts'
import { FakeClock } from './support/fake-clock.ts'
import { configFrame } from './support/fake-hub.ts'

afterEach(closeAll)

/** Document of the centre: these software members may dial, each with this version of its credential. */
function documentWith(versions: Readonly<Record<string, number>>) {
  const server = {
    service: 'software' as const,
    port: 20_001,
    ip: '100.64.16.1',
    mask: 20,
    pool: { first: '100.64.16.2', last: '100.64.31.254' },
    accounts: Object.entries(versions).map(([name, credential_version], i) => ({
      id: i + 1,
      name,
      ip: `100.64.16.${i + 9}`,
      credential_version,
    })),
    routes: [],
    rate_mbps: null,
  }
  return routerDocument({
    ...network('N1'),
    member_type: 'center',
    software_segment: '100.64.16.0/20',
    servers: [server],
  })
}

async function temporaryFiles() {
  const folder = await mkdtemp(join(tmpdir(), 'netloom-sessions-'))
  atEnd(() => rm(folder, { recursive: true }))
  return filesDriver(folder)
}

const [LI, WANG] = ['li-na@qiming', 'wang@qiming']
const BOTH = { [LI]: 0, [WANG]: 0 }

describe.each([
  ['files', temporaryFiles],
  ['memory', async () => memoryDriver()],
] as const)('a device with the driver %s', (_, createDriver) => {
  /** Both members have dialled. */
  async function openSessions() {
    const [hub, clock] = [await createHub(), new FakeClock()]
    const dials = virtualDials('NL-P', clock, () => 0.2)
    await createAgent(hub, { driver: await createDriver(), dials })
    const device = await connected(hub)
    const reported = (is: (dial: DialReport) => boolean) =>
      new Set(device.ofType('dial').flatMap((frame) => frame.dials.filter(is).map(({ name }) => name)))
    device.send(configFrame(1, documentWith(BOTH)))
    await expect.poll(() => device.ofType('config_result').map(({ state }) => state)).toContain('confirmed')
    await clock.advance(30_000)
    await expect.poll(() => reported(() => true)).toEqual(new Set([LI, WANG]))
    return { device, ended: () => [...reported(({ ended_ms }) => ended_ms !== null)] }
  }

  it.each([
    ['leaves the document', { [WANG]: 0 }],
    ['has a new password', { [LI]: 1, [WANG]: 0 }],
  ])('ends the sessions of a member that %s, and reports it; the other goes on', async (_title, versions) => {
    const { device, ended } = await openSessions()
    expect(ended()).toEqual([])
    device.send(configFrame(2, documentWith(versions)))
    await expect.poll(ended).toEqual([LI])
  })
})
