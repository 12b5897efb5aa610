import fc from 'fast-check'
import type { RouterDocument } from '#contract/device/document.ts'
import { DEFAULT_ROUTE_METRICS } from '#contract/network/limits.ts'
import { checkTunnels } from '#infra/agent/drivers/render/check-tunnels.ts'
import { TARGET } from './render-case.ts'
import {
  PASS,
  ROWS,
  SERVICES,
  type Routing,
  type SentLink,
  type SentNetwork,
  access,
  device,
  members,
  network,
  pair,
  secondNetwork,
  twin,
} from './tunnel-parts.ts'

/* Random documents of one device: as a centre or a point of one network, and in a second one. */

const rows: fc.Arbitrary<Routing['rows']> = fc.oneof(
  fc.constant<Routing['rows']>([]),
  fc.shuffledSubarray(ROWS, { minLength: 1 }),
  fc.array(
    fc.record({
      permit: fc.boolean(),
      prefix: fc.integer({ min: 0, max: 7 }).map((n) => `10.${n}.0.0/16`),
      ge: fc.constantFrom(null, 17, 20),
      le: fc.constantFrom(null, 24, 32),
    }),
    { minLength: 1, maxLength: 4 },
  ),
)

const routing: fc.Arbitrary<Routing> = fc.record({
  paths: fc.constantFrom(1, 2, 3),
  announce: fc.constantFrom('declared', 'connected'),
  rows,
  system: fc.subarray(['100.64.16.0/20', '100.64.48.0/20']),
  default: fc.oneof(
    fc.constantFrom({ mode: 'off' as const, metric: null }, { mode: 'receive' as const, metric: null }),
    fc.constantFrom(...DEFAULT_ROUTE_METRICS).map((metric) => ({ mode: 'advertise' as const, metric })),
  ),
})

const change = (one: SentLink): fc.Arbitrary<SentLink> =>
  fc
    .record({
      preference: fc.constantFrom(20, 40, 45),
      peer_asn: fc.constantFrom(one.peer_asn!, 4_200_000_777),
      peer_prefixes: fc.constantFrom(one.peer_prefixes ?? null, null, ['10.40.0.0/16', '10.41.0.0/16']),
    })
    .map((over) => ({ ...one, ...over }))

const centerLinks = [1, 2, 3, 4].map((point) => access('N1', point, 'A').server)
const pointLinks = [access('N1', 1, 'A').client, access('N1', 1, 'B').client, pair('server')]
const someLinks = (links: readonly SentLink[]) =>
  fc.shuffledSubarray([...links]).chain((chosen) => fc.tuple(...chosen.map(change)))

const names = ['NL-A', 'NL-B', 'NL-P1', 'NL-P2', 'NL-P3', 'NL-P4']
const asCenter: fc.Arbitrary<SentNetwork> = fc
  .record({
    links: someLinks([...centerLinks, twin('server')]),
    services: fc.constantFrom(SERVICES, SERVICES.slice(0, 1)),
    routing,
  })
  .map(({ links, services, routing: passed }) =>
    network({ member_type: 'center', members: members(...names), servers: services, links, routing: passed }),
  )
const asPoint: fc.Arbitrary<SentNetwork> = fc
  .record({ links: someLinks(pointLinks), routing })
  .map(({ links, routing: passed }) => network({ members: members(...names), links, routing: passed }))

const second: fc.Arbitrary<SentNetwork> = fc
  .record({ routing, preference: fc.constantFrom(40, 45) })
  .map((one) =>
    secondNetwork({ members: members(...names), routing: { ...PASS, ...one.routing } }, { preference: one.preference }),
  )

/** A device in one or two networks; `NL-A` as a centre, `NL-P1` as a point. */
export const anyDocument: fc.Arbitrary<RouterDocument> = fc
  .record({
    center: fc.boolean(),
    first: asCenter,
    point: asPoint,
    second: fc.option(second, { nil: undefined }),
    lans: fc.subarray(['10.12.0.0/24', '10.12.1.0/24', '10.60.0.0/16'], { minLength: 1 }),
    isRenumbered: fc.constantFrom(false, false, false, true), // another row: another AS number
    isFirst: fc.constantFrom(true, true, true, false),
    via: fc.constantFrom(null, '10.12.0.9', '10.12.0.10'), // of the last LAN
    bandwidth: fc.constantFrom(undefined, undefined, 0, 20, 50),
  })
  .map(({ center, first, point, second: other, lans, isRenumbered, isFirst, via, bandwidth }) => {
    const one = center ? first : point
    const networks = [...(isFirst || !other ? [one] : []), ...(other ? [other] : [])]
    const id = (center ? 1 : 21) + (isRenumbered ? 50 : 0)
    return device(center ? 'NL-A' : 'NL-P1', id, lans[0]!, networks, {
      lans: lans.map((segment) => ({ segment, via: segment === '10.60.0.0/16' ? via : null })),
      ...(bandwidth === undefined ? {} : { bandwidth_mbps: bandwidth }),
    })
  })
  .filter((document) => checkTunnels(document, TARGET) === null)
