import { expect, it } from 'vitest'
import { ConfigRunner, readConfigRecord } from '#infra/agent/config/config-runner.ts'
import { documentHash } from '#infra/agent/hub/frames.ts'
import { memoryStore } from '#infra/agent/store.ts'
import type { RouterDocument, SentDocument } from '#contract/device/document.ts'
import { memoryDriver } from '#infra/simulator/virtual-device.ts'
import { CLIENT_LINK } from './support/documents.ts'
import { FakeClock } from './support/fake-clock.ts'

const { id, peer, role, endpoint, key } = CLIENT_LINK
/** As a hub and an agent of protocol 1 wrote it. */
const BODY: SentDocument = {
  router_name: 'NL-P',
  networks: [
    {
      network_number: 'N1',
      member_type: 'point',
      ciphers: 'default',
      addresses: [{ center: 'NL-C', segment: '100.64.0.0/20', ip: '100.64.0.2' }],
      software_segment: null,
      members: [
        { router_name: 'NL-C', member_type: 'center' },
        { router_name: 'NL-P', member_type: 'point' },
      ],
      links: [{ id, peer, role, endpoint, key }],
    },
  ],
}

it('a record of protocol 1 goes on running, under the hash that the hub knows', async () => {
  const record = { confirmed: { version: 3, hash: documentHash(BODY), body: BODY }, unreported: null }
  const store = memoryStore({ config: record })
  const staged: (RouterDocument | null)[] = []
  const driver = memoryDriver()
  const ports = {
    clock: new FakeClock(),
    store,
    driver: { ...driver, stage: (body: RouterDocument | null) => (staged.push(body), driver.stage(body)) },
    log: () => {},
    report: () => {},
    onProof: () => {},
    changed: () => {},
  }
  const runner = new ConfigRunner(ports, await readConfigRecord(store))
  await runner.start()
  expect(runner.applied).toEqual(record.confirmed)
  expect(staged.at(-1)).toMatchObject({
    asn: 0,
    lans: [],
    networks: [{ servers: [], dns: [], routing: { paths: 1 }, links: [{ id, kind: 'access', carrier: 'probe' }] }],
  })
})
