import type { RouterDocument } from '#contract/device/document.ts'
import {
  PASS,
  ROWS,
  access,
  network,
  members,
  pointNetwork,
  SERVICES,
  centerNetwork,
  device,
  point,
  center,
  twin,
  unnumbered,
  pair,
  pop,
  popNetwork,
  routed,
  secondNetwork,
  twoCenters,
  withTwoCenters,
  dynamicPoint,
} from './tunnel-parts.ts'

/** Documents as the hub sends them, by the name of the file that shows what is rendered (tests/agent/golden). */
export const CASES: Readonly<Record<string, RouterDocument>> = {
  point: point(pointNetwork()),
  center: center(centerNetwork()),
  'two-centers-share-load-point': point(
    pointNetwork(
      { ...withTwoCenters, ...routed({ paths: 2, system: ['100.64.16.0/20', '100.64.48.0/20'] }) },
      twoCenters(40),
    ),
  ),
  'main-router-point': point(pointNetwork(withTwoCenters, twoCenters(45))),
  'prefix-rows-center': center(centerNetwork(routed({ rows: ROWS }))),
  'default-route-advertise-point': point(pointNetwork(routed({ default: { mode: 'advertise', metric: 60 } }))),
  'default-route-receive-point': point(pointNetwork(routed({ default: { mode: 'receive', metric: null } }))),
  'default-route-advertise-center': center(centerNetwork(routed({ default: { mode: 'advertise', metric: 30 } }))),
  'dynamic-routing-point': point(pointNetwork(routed({ announce: 'connected' }))),
  'dynamic-routing-center': center(centerNetwork({ ...routed({ announce: 'connected' }), links: dynamicPoint })),
  'dynamic-routing-rows-center': center(centerNetwork({ ...routed({ rows: ROWS }), links: dynamicPoint })),
  'dns-point': point(pointNetwork({ dns: ['10.12.0.53', '10.12.0.54'] })),
  'dns-center': center(centerNetwork({ dns: ['10.12.0.53'] })),
  'sm-point': point(pointNetwork({ ciphers: 'sm' })),
  'sm-center': center(centerNetwork({ ciphers: 'sm' })),
  'fixed-ports-center': center(
    centerNetwork({ servers: SERVICES.map((server, index) => ({ ...server, port: 40_001 + index })) }),
  ),
  'address-pool-center': center(
    centerNetwork({
      servers: SERVICES.map((server) =>
        server.pool ? { ...server, pool: { first: '100.64.17.1', last: '100.64.17.200' } } : server,
      ),
    }),
  ),
  'twin-link-server': center(
    centerNetwork({
      members: members('NL-A', 'NL-B', 'NL-P1', 'NL-P2'),
      links: [access('N1', 1, 'A').server, twin('server')],
      ...routed({ system: ['100.64.16.0/20', '100.64.48.0/20'] }),
    }),
  ),
  'twin-link-client': device('NL-B', 2, '10.14.0.0/24', [
    network({
      member_type: 'center',
      members: members('NL-A', 'NL-B'),
      links: [twin('client')],
      servers: [{ ...SERVICES[0]!, ip: '100.64.32.1' }],
      ...routed({ rows: ROWS }),
    }),
  ]),
  'twin-link-unnumbered-server': center(
    centerNetwork({ members: members('NL-A', 'NL-B'), links: [unnumbered('server')] }),
  ),
  'twin-link-unnumbered-client': device('NL-B', 2, '10.14.0.0/24', [
    network({
      member_type: 'center',
      members: members('NL-A', 'NL-B'),
      links: [unnumbered('client')],
      servers: [{ ...SERVICES[0]!, ip: '100.64.32.1' }],
    }),
  ]),
  'point-link-server': point(
    pointNetwork({ members: members('NL-A', 'NL-P1', 'NL-P2'), ...routed({ rows: ROWS }) }, [
      access('N1', 1, 'A').client,
      pair('server'),
    ]),
  ),
  'point-link-client': device('NL-P2', 22, '10.13.2.0/24', [
    network({ members: members('NL-P1', 'NL-P2'), links: [pair('client')], routing: { ...PASS, rows: ROWS } }),
  ]),
  'static-lan-routes-point': device('NL-P1', 21, '10.13.1.0/24', [pointNetwork()], {
    lans: [
      { segment: '10.13.1.0/24', via: null },
      { segment: '10.40.0.0/16', via: '10.13.1.9' },
    ],
  }),
  'bandwidth-point': device('NL-P1', 21, '10.13.1.0/24', [pointNetwork()], { bandwidth_mbps: 50 }),
  'bandwidth-off-without-network': device('NL-P1', 21, '10.13.1.0/24', [], { bandwidth_mbps: 0 }),
  'center-and-point-of-another-network': center(
    centerNetwork(),
    secondNetwork({ routing: { ...PASS, announce: 'connected', default: { mode: 'advertise', metric: 120 } } }),
  ),
  'pop-member': point(pointNetwork({}, [access('N1', 1, 'A').client, pop(1, 60), pop(2, 50)])),
  'pop-node': device('POP-1', 901, '10.0.0.0/24', [popNetwork('N1', 21_000), popNetwork('N2', 21_010)]),
  'address-of-center-unknown': point(pointNetwork({}, [{ ...access('N1', 1, 'A').client, remotes: [] }])),
  'center-seen-at-ipv6': point(
    pointNetwork({}, [
      {
        ...access('N1', 1, 'A').client,
        remotes: [
          { host: '2001:db8::9', port: 20_000 },
          { host: '203.0.113.10', port: 20_000 },
        ],
      },
    ]),
  ),
}
