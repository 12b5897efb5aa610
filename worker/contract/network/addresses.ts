import * as z from 'zod'
import { EXAMPLE, write, read } from '#contract/kernel/endpoint.ts'
import { numeric, routerName, wireBoolean } from '#contract/kernel/fields.ts'
import {
  EXAMPLE_MEMBER,
  changeable,
  gatewaySegment,
  ipConfigFields,
  networkTarget,
  ofNetwork,
  requireDistinctPorts,
  requireRange,
  servicePorts,
  settingRevision,
} from './fields.ts'
import { MEMBER_READS, segmentView } from './views.ts'

/* Endpoints of addresses, segments and ports of a network. */

const READS = ['network/info', 'network/member', 'network/status', 'network/ip_address_pool', ...MEMBER_READS] as const

const target = networkTarget.extend({ revision: settingRevision })
/** 1: members whose host number does not fit into the segments any more get a new one, and new addresses with it. */
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
    input: target
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
    input: target.extend({
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
    input: target.extend({ ...ipConfigFields, pack }).superRefine(requireRange),
    done: 'set',
    refreshes: READS,
    example: {
      network_number: EXAMPLE.network_number,
      pop: { gateway: '10.210.0.0', mask: 20 },
      pop_software: { gateway: '10.211.0.0', mask: 20 },
    },
  }),
} as const
