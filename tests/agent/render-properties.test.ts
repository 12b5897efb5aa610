import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkDocument } from '#infra/agent/config/check-document.ts'
import { checkTunnels } from '#infra/agent/drivers/render/check-tunnels.ts'
import { renderDocument } from '#infra/agent/drivers/render/render.ts'
import { NO_SLOTS, type Slots, assignSlots, readSlots, writeSlots } from '#infra/agent/drivers/render/slots.ts'
import { type Target, toTarget } from '#infra/agent/drivers/render/target.ts'
import { ipNumber } from '#contract/kernel/ipv4.ts'
import type { RouterDocument } from '#contract/device/document.ts'
import { compileRouter } from '#domain/network/compile/compile.ts'
import { DEFAULT_NETWORK_SETTINGS } from '#domain/network/history/stored-settings.ts'
import { memberRows } from '#tests/unit/network/members.ts'
import { TARGET } from './support/render-case.ts'
import { CASES } from './support/tunnel-documents.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const render = (document: RouterDocument, target: Target = TARGET) =>
  renderDocument(document, assignSlots(document, NO_SLOTS), target)
const anyCase = fc.constantFrom(...Object.values(CASES))

const WORD = '[\\w.:/@-]+'
const IP = '[\\d.]+'
const oneOf = (forms: readonly string[]) => new RegExp(`^(?:${forms.join('|')})$`)

/** Every form of line that a tool is given: nothing that somebody chose makes another one. */
const OPENVPN = oneOf([
  'lladdr (?:[0-9a-f]{2}:){5}[0-9a-f]{2}',
  'mode server|tls-server|tls-client|float|client|nobind|dh none|proto udp4|port \\d+|keepalive \\d+ \\d+|hand-window 20|max-clients \\d+',
  `dev ov\\w+|dev-type (?:tap|tun)|topology (?:subnet|p2p)|ifconfig ${IP} ${IP}|ifconfig-pool ${IP} ${IP} ${IP}`,
  'ifconfig-noexec|route-noexec|verify-client-cert none|username-as-common-name|management-client-auth',
  'auth-gen-token 0 external-auth|auth-retry nointeract|explicit-exit-notify 1|connect-retry 1 5|connect-timeout 4|ccd-exclusive',
  `push "(?:topology (?:subnet|p2p)|route-gateway ${IP})"`,
  `remote ${IP} \\d+ udp4|remote-cert-tls (?:client|server)|verify-x509-name [\\w.@-]+ name`,
  'pull-filter ignore (?:"route "|redirect-gateway)|client-config-dir run/ccd/ov\\w+',
  'persist-tun|persist-key|tun-mtu 1400|mssfix 0|sndbuf 1048576|rcvbuf 1048576|txqueuelen 4000|mark 100',
  '(?:ca|cert|tls-crypt|auth-gen-token-secret) keys/[\\w-]+/\\w+\\.(?:pem|key)|key keys/router\\.key|reneg-sec 43200',
  'crl-verify run/revoked/[\\w-]+\\.pem',
  'tls-version-min 1\\.2|data-ciphers [\\w:-]+|auth \\w+|user nobody|group nogroup|script-security 1|verb 3',
  'suppress-timestamps|management run/sockets/ov\\w+\\.sock unix',
])
const FRR = oneOf([
  `bgp (?:route-map|as-path|community-list) (?:${WORD} )*(?:${WORD}|\\^\\$)|ip prefix-list( ${WORD})+`,
  `route-map ${WORD} (?:permit|deny) \\d+| (?:match|set|call)( ${WORD})+|exit|router bgp \\d+| coalesce-time \\d+`,
  ` (?:no )?bgp( ${WORD})+| {1,2}neighbor ${IP}( ${WORD})+| address-family ipv4 unicast| exit-address-family`,
  `  network ${IP}/\\d+|  redistribute connected route-map CONNECTED|  maximum-paths \\d+`,
])
const NFT = oneOf([
  'table inet netloom {}|delete table inet netloom|table inet netloom {|}|  chain \\w+ {|  }',
  '    [a-z](?:["\\w\\s{},:;*/.@-]| != )*',
])
const LINES: readonly (readonly [path: RegExp, line: RegExp])[] = [
  [/^openvpn\/ccd\/\w+\/[\w.@-]+$/, oneOf([`ifconfig-push ${IP} ${IP}`, 'iroute 0\\.0\\.0\\.0 0\\.0\\.0\\.0'])],
  [/^openvpn\/ov\d+s\.push$/, oneOf([`push "(?:route ${IP} ${IP}|dhcp-option DNS ${IP})"`])],
  [/^openvpn\/ov\d+[rscx]\d*\.conf$/, OPENVPN],
  [/^frr\/bgpd(-\d+)?\.conf$/, FRR],
  [/^nft\/netloom(-\d+)?\.nft$/, NFT],
  [
    /^nft\/bandwidth\.nft$/,
    oneOf([
      'table inet netloom_bandwidth {|table inet netloom_bandwidth {}|delete table inet netloom_bandwidth|}|  chain forward {|  }',
      '    type filter hook [\\w\\s;-]+',
    ]),
  ],
  [
    /^tc\/bandwidth\.tc$/,
    /^qdisc replace dev \w[\w.@-]* root handle 6e6c: tbf rate [\d.]+mbit burst \d+kb latency 100ms$/,
  ],
  [
    /^tc\/netloom(-\d+)?\.tc$/,
    /^qdisc replace dev ov\w+ root handle 6e6c: tbf rate [\d.]+mbit burst \d+kb latency 100ms$/,
  ],
  [
    /^ip\/netloom\.ip$/,
    oneOf([
      `rule add pref \\d+(?: fwmark 100| iif \\w[\\w.@-]*)? lookup (?:main|200)(?: suppress_prefixlength 0)? protocol 110`,
      `route replace ${IP}/\\d+ via ${IP} table 200 protocol 110`,
    ]),
  ],
  [/^dnsmasq\.conf$/, oneOf([`[a-z-]+(=${WORD})?`])],
]

function strayLines(files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([path, text]) => {
    if (/^network-\w[\w-]*\.txt$/.test(path)) return []
    const form = LINES.find(([pattern]) => pattern.test(path))
    if (!form) return [`a file ${path}`]
    return text
      .split('\n')
      .filter((line) => line !== '' && !form[1].test(line))
      .map((line) => `${path}: ${line}`)
  })
}

describe('text that somebody chose', () => {
  it('is in no line of another form', async () => {
    const offenders = await findOffenders(Object.entries(CASES))((_, document) => {
      expect(strayLines(render(document))).toEqual([])
    })
    expect(offenders).toEqual([])
  })

  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      'a"',
      "a'b",
      'a\nup /bin/sh',
      'a\r\nup sh',
      'a b',
      '..',
      '../x',
      'a;reboot',
      'a#',
      'a\\',
      '-a',
      '$(a)',
      '门店',
    ),
    fc.stringMatching(/^\w[\w-]{0,12}$/),
    fc.stringMatching(/^[\w.]{1,8}@[a-z]{1,6}$/),
  )
  const PLACES: Readonly<Record<string, (document: RouterDocument, text: string) => unknown>> = {
    'name of the device': (document, text) => ({ ...document, router_name: text }),
    'number of a network': (document, text) => inNetworks(document, { network_number: text }),
    'peer of a link': (document, text) => inLinks(document, { peer: text }),
    'id of a link': (document, text) => inLinks(document, { id: text }),
    'dialled host': (document, text) => inLinks(document, { remotes: [{ host: text, port: 9 }] }),
    'address of a peer': (document, text) => inLinks(document, { remote_ip: text }),
    'declared prefix': (document, text) => inLinks(document, { peer_prefixes: [text] }),
    resolver: (document, text) => inNetworks(document, { dns: [text] }),
    'name of an account': (document, text) =>
      inServers(document, { accounts: [{ id: 1, name: text, ip: '100.64.0.9' }] }),
    'route of a service': (document, text) => inServers(document, { routes: [text] }),
    'address of a service': (document, text) => inServers(document, { ip: text }),
    LAN: (document, text) => ({ ...document, lans: [{ segment: text, via: null }] }),
  }
  const inNetworks = (document: RouterDocument, over: object) => ({
    ...document,
    networks: document.networks.map((network) => ({ ...network, ...over })),
  })
  const inLinks = (document: RouterDocument, over: object) => ({
    ...document,
    networks: document.networks.map((n) => ({ ...n, links: n.links.map((link) => ({ ...link, ...over })) })),
  })
  const inServers = (document: RouterDocument, over: object) => ({
    ...document,
    networks: document.networks.map((n) => ({ ...n, servers: n.servers.map((server) => ({ ...server, ...over })) })),
  })

  it.each(Object.entries(PLACES))('as %s is refused, or makes no other directive', (_, place) => {
    fc.assert(
      fc.property(anyCase, hostile, (document, text) => {
        const body = place(document, text)
        if (checkDocument(body) !== null) return
        expect(strayLines(render(body as RouterDocument))).toEqual([])
      }),
    )
  })

  it('as an interface of the device is left out, or makes no other directive', () => {
    const one = fc.record({ interface: fc.oneof(hostile, fc.string()), role: fc.constantFrom('wan', 'lan', 'tunnel') })
    const base = { interface_uuid: '', protocol: 'static', ip: '', mask: 0, mac: '', mtu: 1500, up: true } as const
    fc.assert(
      fc.property(anyCase, fc.array(one, { maxLength: 4 }), (document, interfaces) => {
        const target = toTarget(
          interfaces.map((i) => ({ ...base, ...i })),
          0,
        )
        expect(strayLines(render(document, target))).toEqual([])
      }),
    )
  })
})

describe('a document that passes the check', () => {
  /** Few ports, segments and hosts, so that they meet often. */
  const server = fc.record({
    service: fc.constantFrom('router', 'software'),
    port: fc.integer({ min: 2000, max: 2004 }),
    segment: fc.nat(3),
    host: fc.nat(3),
  })
  const peer = fc.record({ segment: fc.nat(3), host: fc.nat(4), peer: fc.nat(2) })
  const networks = fc.array(
    fc.record({ servers: fc.array(server, { maxLength: 2 }), peers: fc.array(peer, { maxLength: 2 }) }),
    {
      minLength: 1,
      maxLength: 2,
    },
  )
  const base = CASES['center']!

  const toDocument = (parts: typeof networks extends fc.Arbitrary<infer T> ? T : never): RouterDocument => ({
    ...base,
    networks: parts.map(({ servers, peers }, index) => ({
      ...base.networks[0]!,
      network_number: `N${index}`,
      servers: servers.map(({ service, port, segment, host }) => ({
        ...base.networks[0]!.servers[0]!,
        service: service as 'router',
        port,
        ip: `10.99.${segment}.${host}`,
        mask: 24,
      })),
      links: peers.map(({ segment, host, peer }, at) => ({
        ...base.networks[0]!.links[0]!,
        id: `N${index}:P${at}>C`,
        peer: `P${peer}`,
        local_ip: `10.99.${segment}.1`,
        remote_ip: `10.99.${segment}.${host}`,
        mask: 24,
      })),
    })),
  })

  it('has one process a port, one session an address, and no address outside the segment of its server', () => {
    let accepted = 0
    fc.assert(
      fc.property(networks, (parts) => {
        const document = toDocument(parts)
        if (checkTunnels(document, TARGET) !== null) return
        accepted += 1
        const files = [...render(document)]
        const all = (pattern: RegExp) =>
          files.flatMap(([, text]) => [...text.matchAll(pattern)].map(([, found]) => found))
        for (const list of [all(/^port (\d+)$/gm), all(/^ neighbor (\S+) remote-as/gm), all(/^dev (\w+)$/gm)]) {
          expect(new Set(list).size).toBe(list.length)
        }
        for (const [path, text] of files) {
          const [, device, ip] = /^openvpn\/ccd\/(\w+)\/.*\nifconfig-push (\S+)/.exec(`${path}\n${text}`) ?? []
          if (!device || !ip) continue
          const config = files.find(([name]) => name === `openvpn/${device}.conf`)?.[1] ?? ''
          const own = /^ifconfig (\S+) 255\.255\.255\.0$/m.exec(config)?.[1] ?? ''
          expect([ip, Math.floor(ipNumber(ip)! / 256)]).toEqual([ip, Math.floor(ipNumber(own)! / 256)])
          expect(ip).not.toBe(own)
        }
      }),
      { numRuns: 2000 },
    )
    expect(accepted).toBeGreaterThan(20)
  })

  it('is whatever the hub compiles', () => {
    fc.assert(
      fc.property(memberRows, (members) => {
        const network = {
          networkNumber: 'N1',
          ciphers: 'default',
          secret: 'ab',
          settings: DEFAULT_NETWORK_SETTINGS,
          members,
        } as const
        for (const { routerName, routerType } of members) {
          if (routerType === 2) continue
          const document = compileRouter(routerName, [network], () => 'ab'.repeat(16))
          expect(checkTunnels(document, TARGET)).toBeNull()
          expect(strayLines(render(document))).toEqual([])
        }
      }),
    )
  })
})

describe('numbers of networks and links', () => {
  const named = fc.uniqueArray(fc.constantFrom('N1', 'N2', 'N3', 'constructor', '__proto__'), { maxLength: 5 })
  const linked = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 })
  const document = fc.tuple(named, linked).map(([numbers, links]) => {
    const { networks, ...rest } = CASES['point']!
    const [network] = networks
    const [link] = network!.links
    return {
      ...rest,
      networks: numbers.map((number) => ({
        ...network!,
        network_number: number,
        links: links.map((id) => ({ ...link!, id })),
      })),
    }
  })

  it('stay while the network or link stays, and differ from each other', () => {
    fc.assert(
      fc.property(fc.array(document, { maxLength: 6 }), (documents) => {
        let before: Slots = NO_SLOTS
        for (const one of documents) {
          const after = readSlots(writeSlots(assignSlots(one, before)))
          expect([...after.keys()]).toEqual(one.networks.map((n) => n.network_number))
          expect(new Set([...after.values()].map(({ slot }) => slot)).size).toBe(after.size)
          for (const [number, { slot, links }] of after) {
            const old = before.get(number)
            expect(slot).toBe(old?.slot ?? slot)
            expect(new Set(links.values()).size).toBe(links.size)
            for (const [id, at] of links) expect(at).toBe(old?.links.get(id) ?? at)
          }
          before = after
        }
      }),
    )
  })

  it.each([
    null,
    '',
    '{',
    '[{"network_number":"N1","slot":"1","links":[]}]',
    '[{"network_number":"N1","slot":0,"links":[]}]',
  ])('are assigned anew where they cannot be read: %j', (text) => {
    expect(readSlots(text)).toEqual(NO_SLOTS)
  })

  it('that somebody made equal are assigned anew', () => {
    const document = CASES['center-and-point-of-another-network']!
    const equal = new Map([...assignSlots(document, NO_SLOTS)].map(([number, slot]) => [number, { ...slot, slot: 7 }]))
    expect([...assignSlots(document, equal).values()].map(({ slot }) => slot)).toEqual([7, 1])
  })
})
