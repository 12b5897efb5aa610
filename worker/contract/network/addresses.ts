import * as z from 'zod'
import { EXAMPLE, write, read } from '#contract/kernel/endpoint.ts'
import { networkNumber, numeric, routerName, wireBoolean } from '#contract/kernel/fields.ts'
import {
  EXAMPLE_MEMBER,
  centerLinkFields,
  changeable,
  gatewaySegment,
  interlinkFields,
  ipConfigFields,
  isAlignedSegment,
  memberTarget,
  networkTarget,
  ofNetwork,
  pointLinkRows,
  requireCenterLink,
  requireDistinctPorts,
  requireRange,
  servicePorts,
  settingRevision,
} from './fields.ts'
import { MEMBER_READS, NETWORK_READS, portsView, segmentView } from './views.ts'

/* Endpoints of addresses, segments and ports of a network, and of links that a person sets between two members. */

const READS = ['network/info', 'network/member', 'network/status', 'network/ip_address_pool', ...MEMBER_READS] as const
const linkReads = (own: string) => [...NETWORK_READS, 'router/info', own]
const CENTER_LINK_READS = linkReads('network/center_link_network')

const change = networkTarget.extend({ revision: settingRevision })
/**
 * 1: points whose host number no longer fits into all segments get a new one, with new addresses; if that is not enough,
 * all members do. 0: such a call is refused with HOSTS_OUTSIDE.
 */
export const pack = numeric(wireBoolean).prefault(0)

const pool = segmentView.extend({ start: z.string(), end: z.string() })

/** Effective IP config of a network (network 3), with defaults for values that were not chosen. */
const ipConfigView = z.object({
  /** Range for proposals of new segments; empty for none. */
  gateway: z.string(),
  mask: z.int(),
  pop: segmentView.nullable(),
  pop_software: segmentView.nullable(),
  center_link_network: segmentView.nullable(),
  center_network: z.array(z.object({ router_name: routerName, note: z.string(), router: pool, software: pool })),
  /** Revision of all these settings together. */
  revision: z.int(),
})

export const addresses = {
  fixedPort: write('network/fixed_port', 'network:edit', {
    summary:
      'Set the ports on which a centre answers, and where it is reached from outside; a service that is left out keeps its own',
    input: change
      .extend({
        router_name: routerName,
        router_service: servicePorts.optional(),
        software_service: servicePorts.optional(),
      })
      .superRefine(requireDistinctPorts),
    done: 'set',
    refreshes: READS,
    example: {
      ...EXAMPLE_MEMBER,
      router_service: { public_ip: '203.0.113.10', public_port: 31194, static_port: 31194 },
      software_service: {},
    },
  }),
  editCenterGateway: write('network/edit_center_gateway', 'network:edit', {
    summary: 'Choose the segments of a centre for hardware and for software; null for the default one',
    input: change.extend({
      router_name: routerName,
      router_network: changeable(gatewaySegment),
      software_network: changeable(gatewaySegment),
      pack,
    }),
    done: 'set',
    refreshes: READS,
    example: {
      ...EXAMPLE_MEMBER,
      router_network: { gateway: '10.200.0.0', mask: 20 },
    },
  }),
  ipAddressPool: read('network/ip_address_pool', 'session', {
    summary: 'Segments of a network and which of their addresses are given away',
    ...ofNetwork,
    output: ipConfigView,
  }),
  editIpAddressPool: write('network/edit_ip_address_pool', 'network:edit', {
    summary: 'Choose the segments of a network; centres that are not named keep theirs',
    input: change.extend({ ...ipConfigFields, pack }).superRefine(requireRange),
    done: 'set',
    refreshes: READS,
    example: {
      network_number: EXAMPLE.network_number,
      pop: { gateway: '10.210.0.0', mask: 20 },
      pop_software: { gateway: '10.211.0.0', mask: 20 },
    },
  }),
  centerLinkNetwork: read('network/center_link_network', 'session', {
    summary: 'The twin-centre link of a network, with what a form proposes',
    ...ofNetwork,
    output: z.object({
      network_number: networkNumber,
      gateway: z.string(),
      mask: z.int(),
      enable: wireBoolean,
      center_router_name: z.string(), // server end; empty until chosen
      ...portsView,
      /** Free segment, with a free local port. */
      free_gateway: z.string(),
      free_port: z.int().nullable(),
      revision: z.int(),
    }),
  }),
  centerLink: write('network/center_link', 'network:edit', {
    summary: 'Connect the two centres of a network, at a public address or in a segment of their own',
    input: change.extend(centerLinkFields).superRefine(requireCenterLink),
    done: 'set',
    refreshes: CENTER_LINK_READS,
    example: {
      network_number: EXAMPLE.network_number,
      center_router_name: EXAMPLE.router_name,
      gateway: '172.31.255.0',
      mask: 30,
    },
  }),
  enableCenterLink: write('network/enable_center_link', 'network:edit', {
    summary: 'Turn the twin-centre link on (1) or off (0); turning it off works in a suspended network too',
    input: change.extend({ enable: numeric(wireBoolean) }),
    done: 'set',
    refreshes: CENTER_LINK_READS,
    example: { network_number: EXAMPLE.network_number, enable: 1 },
  }),
  editCenterLinkGateway: write('network/edit_center_link_gateway', 'network:edit', {
    summary: 'Change the segment of the twin-centre link',
    input: change.extend(interlinkFields).superRefine(isAlignedSegment),
    done: 'set',
    refreshes: CENTER_LINK_READS,
    example: { network_number: EXAMPLE.network_number, gateway: '172.31.255.0', mask: 30 },
  }),
  pointLink: read('network/point_link', 'session', {
    summary: 'Links of one member to others that are no centres',
    input: memberTarget,
    output: z.object({
      router_name: routerName,
      linkList: z.array(
        z.object({
          router_name: routerName,
          note: z.string(),
          gateway: z.string(),
          mask: z.int(),
          static_port: z.int().nullable(),
          /** Port in use at the server end. */
          port: z.int(),
          /** Port in use at the other end; null: a link of an earlier release, whose server end dials nobody. */
          client_port: z.int().nullable(),
          /** 1: this member is the server end. */
          is_server: wireBoolean,
        }),
      ),
      free_gateway: z.string(),
      revision: z.int(),
    }),
    example: EXAMPLE_MEMBER,
  }),
  editPointLink: write('network/edit_point_link', 'network:edit', {
    summary: 'Set the links of one member to others that are no centres; both ends get them',
    input: change.extend({ router_name: routerName, link_config: pointLinkRows }),
    done: 'set',
    refreshes: linkReads('network/point_link'),
    example: {
      ...EXAMPLE_MEMBER,
      link_config: [{ router_name: EXAMPLE.router_name, gateway: '172.31.255.0', mask: 30 }],
    },
  }),
} as const
