import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type RouterDocument, routerDocument } from '#contract/device/document.ts'
import { wantedOpenvpn } from '#infra/agent/drivers/linux/openvpn/wanted.ts'
import { renderDocument } from '#infra/agent/drivers/render/render.ts'
import { NO_SLOTS, assignSlots } from '#infra/agent/drivers/render/slots.ts'
import { findOffenders } from '#tests/support/offenders.ts'
import { KEY } from './support/documents.ts'
import { TARGET } from './support/render-case.ts'
import { FULL, type Leaf, leavesOf, withValue } from './support/full-documents.ts'

/* Every field of a document makes a difference to what runs, or stands in a list with its reason. */

const PEM = (label: string) => `-----BEGIN ${label}-----\nb3RoZXI=\n-----END ${label}-----\n`
const ENUMS: Readonly<Record<string, readonly string[]>> = {
  member_type: ['center', 'point', 'pop'],
  ciphers: ['default', 'sm'],
  service: ['router', 'software'],
  role: ['server', 'client'],
  kind: ['access', 'center', 'point', 'pop', 'backbone'],
  carrier: ['tunnel', 'probe'],
  announce: ['declared', 'connected'],
  mode: ['off', 'advertise', 'receive'],
}
/** Other values by the name of the field. */
const OTHERS: Readonly<Record<string, readonly unknown[]>> = {
  router_name: ['NL-Z'],
  network_number: ['N9'],
  center: ['NL-Z'],
  peer: ['NL-Z'],
  name: ['z@other'],
  id: ['N9:NL-Y>NL-Z', 7, 'cd'.repeat(16)],
  key: [KEY.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'))],
  ca: [PEM('CERTIFICATE')],
  certificate: [PEM('CERTIFICATE'), null],
  revoked: [PEM('X509 CRL')],
  control_key: ['a5'.repeat(256)],
  authority: ['cd'.repeat(16)],
  software_segment: ['100.64.48.0/20'],
  endpoint: [{ host: '198.51.100.77', port: 77 }],
  endpoints: [[{ host: '198.51.100.77', port: 77 }]],
  pool: [{ first: '100.64.16.7', last: '100.64.16.70' }],
  accounts: [[{ id: 9, name: 'a.b@qiming', ip: '100.64.16.9', credential_version: 0 }]],
  routes: [['10.77.0.0/16']],
  system: [['10.77.0.0/16']],
  dns: [['10.77.0.53']],
  rows: [[{ permit: true, prefix: '10.77.0.0/16', ge: null, le: null }]],
  remotes: [[{ host: '198.51.100.77', port: 77 }]],
  peer_prefixes: [['10.77.0.0/16']],
  via: ['10.12.0.77'],
  metric: [40, 30],
  rate_mbps: [77],
  mask: [19],
  le: [28],
  port: [2_077],
  addresses: [[{ center: 'NL-A', segment: '10.77.0.0/16', ip: '10.77.0.1' }]],
}

function othersOf([path, , value]: Leaf): readonly unknown[] {
  const name = /([a-z_]+)(?:\[[^\]]*\])?$/.exec(path)?.[1] ?? ''
  if (path.endsWith(']')) return typeof value === 'string' ? [value.includes('/') ? '10.77.0.0/16' : '10.77.0.53'] : []
  const others = (ENUMS[name] ?? OTHERS[name])?.filter((other) => other !== value)
  if (others) return others
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'number') return [value + 1]
  if (typeof value === 'string') return [value.includes('/') ? '10.77.0.0/16' : value.replace(/\d+$/, '77')]
  return []
}

/** All that runs for a document on a device that ran the full one. */
function effectOf(document: RouterDocument, before: RouterDocument): string {
  const slots = assignSlots(document, assignSlots(before, NO_SLOTS))
  const files = renderDocument(document, slots, TARGET)
  const running = [...files].filter(([path]) => !path.startsWith('network-')) // the text for people
  return JSON.stringify([running, wantedOpenvpn({ document, slots, target: TARGET, files })])
}

/** Fields whose change alone may move nothing that runs, by role and path, with the reason. */
const UNRENDERED: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^\w+: router_name$/, 'the certificate names the device to its peers'],
  [/\.addresses(\[\]\..*)?$/, 'for the console and the text for people: services and links have the addresses'],
  [/\.software_segment$/, 'for the console: the service has it'],
  [/\.members\[\]\.router_name$/, 'a member has a tunnel by its link'],
  [/\.members\[\]\.member_type$/, 'counts for the peer of a link alone'],
  [/\.links\[.*\]\.id$/, 'name in reports; its number stays where the lowest is free again'],
  [/\.links\[.*\]\.(endpoint(\.\w+)?|endpoints(\[\]\.\w+)?|key)$/, 'of the probe, which is no tool of the driver'],
  [/\.links\[.*\]\.carrier$/, 'decides who reports the state'],
  [/\.links\[\w+ server\]\.remotes$/, 'a server dials nobody'],
  [/\.links\[(access|pop) server\]\.(port|rate_mbps)$/, 'of the service for routers'],
  [/\.links\[(access|pop) server\]\.local_ip$/, 'the same as of the service, else the document is refused'],
  [/\.links\[\w+ client\]\.port$/, 'a client answers nobody'],
  [/\.links\[\w+ client\]\.mask$/, 'comes from the server, except that 32 is a link without a segment'],
  [/\.links\[backbone client\]\.local_ip$/, 'comes from the server'],
  [/^point: .*\.links\[(access|pop) client\]\.peer_prefixes$/, 'a point takes what its centres send'],
  [/\.servers\[router\]\.(pool|accounts|routes)$/, 'of services for software members'],
  [/\.servers\[software\]\.accounts\[\]\.id$/, 'number of the row'],
  [/^point: networks\[\]\.servers$/, 'a point has no service: those of a centre stand above'],
  [/^point: .*\.system\[\]$/, 'a point takes what its centres send'],
  [/^point: .*\.default\.metric$/, 'counts for the mode `advertise`'],
  [/^pop: .*\.default\.\w+$/, 'an isolated network has no WAN'],
  [/^pop: lans\[\]\.\w+$/, 'an isolated network has no LAN'],
]

describe('each field of a document', () => {
  it('changes what runs, or is on the list with its reason', async () => {
    const unused = new Set(UNRENDERED)
    const rows = Object.entries(FULL).flatMap(([role, document]) =>
      leavesOf(document).map((leaf) => [`${role}: ${leaf[0]}`, leaf, document] as const),
    )
    const offenders = await findOffenders(rows)((name, leaf, document) => {
      const before = effectOf(document, document)
      const changed = othersOf(leaf).flatMap(
        (other) => routerDocument.safeParse(withValue(document, leaf[1], other)).data ?? [],
      )
      if (changed.some((other) => effectOf(other, document) !== before)) return
      const listed = UNRENDERED.find(([path]) => path.test(name))
      expect(listed).toBeDefined()
      unused.delete(listed!)
    })
    expect(offenders).toEqual([])
    expect([...unused].map(([path]) => String(path))).toEqual([])
  })

  it('has another value to try, and each field of the schema is in one of the documents', () => {
    const leaves = Object.values(FULL).flatMap((document) => leavesOf(document).map((leaf) => ({ document, leaf })))
    const untried = leaves.filter(
      ({ document, leaf }) =>
        !othersOf(leaf).some((other) => routerDocument.safeParse(withValue(document, leaf[1], other)).success),
    )
    expect([...new Set(untried.map(({ leaf: [path] }) => path))]).toEqual(['networks[].servers'])
    const tried = new Set(leaves.map(({ leaf: [path] }) => path.replaceAll(/\[[^\]]*\]/g, '')))
    const isTried = (path: string) => [...tried].some((each) => `${each}.`.startsWith(`${path}.`))
    expect(
      fieldsOf(z.toJSONSchema(routerDocument, { io: 'input' }) as Schema).filter((path) => !isTried(path)),
    ).toEqual([])
  })
})

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** Paths of all fields below a schema. */
const fieldsOf = ({ properties = {}, items, anyOf = [] }: Schema, path = ''): string[] => [
  ...(items ? fieldsOf(items, path) : []),
  ...anyOf.flatMap((each) => fieldsOf(each, path)),
  ...Object.entries(properties).flatMap(([name, each]) => {
    const own = path === '' ? name : `${path}.${name}`
    return [own, ...fieldsOf(each, own)]
  }),
]
