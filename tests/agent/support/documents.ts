import { type RouterDocument, type SentDocument, documentLink, documentNetwork } from '#contract/device/document.ts'
import type { ConfigDocument } from '#infra/agent/config/config-machine.ts'
import { documentHash } from '#infra/agent/hub/frames.ts'

/** A link as it may travel: what it leaves out has its default. */
export type TestLink = SentDocument['networks'][number]['links'][number]

export const KEY = 'ab'.repeat(32)

/** The link of a point to the centre of network N1. */
export const CLIENT_LINK = documentLink.parse({
  id: 'N1:NL-P>NL-C',
  peer: 'NL-C',
  role: 'client',
  endpoint: { host: '192.0.2.9', port: 5000 },
  key: KEY,
})

export function network(number: string, links: TestLink[] = [], ciphers: 'default' | 'sm' = 'default') {
  return documentNetwork.parse({
    network_number: number,
    member_type: 'point',
    ciphers,
    addresses: [{ center: 'NL-C', segment: '100.64.0.0/20', ip: '100.64.0.2' }],
    software_segment: null,
    members: [
      { router_name: 'NL-C', member_type: 'center' },
      { router_name: 'NL-P', member_type: 'point' },
    ],
    links,
  })
}

/** Not parsed: what it is made of may be hostile. */
export const routerDocument = (...networks: RouterDocument['networks']): RouterDocument => ({
  router_name: 'NL-P',
  networks,
  asn: 0,
  lans: [],
})

/** A document whose content differs by `mark`. */
export function configDocument(version: number, mark: string = String(version)) {
  const body = routerDocument(network(`N${mark}`))
  return { version, hash: documentHash(body), body } satisfies ConfigDocument
}
