import * as z from 'zod'
import { EXAMPLE, read, write } from '#contract/kernel/endpoint.ts'
import { networkNumber, numeric, routerName, wireBoolean } from '#contract/kernel/fields.ts'
import {
  EXAMPLE_MEMBER,
  centerLinkFields,
  interlinkFields,
  isAlignedSegment,
  memberTarget,
  networkTarget,
  ofNetwork,
  pointLinkRows,
  requireCenterLink,
  settingRevision,
} from './fields.ts'
import { NETWORK_READS, portsView } from './views.ts'

/* Endpoints of links between two centres, and between two members that are no centres. */

const change = networkTarget.extend({ revision: settingRevision })
const reads = (own: string) => [...NETWORK_READS, 'router/info', own]
const CENTER_READS = reads('network/center_link_network')

export const links = {
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
    refreshes: CENTER_READS,
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
    refreshes: CENTER_READS,
    example: { network_number: EXAMPLE.network_number, enable: 1 },
  }),
  editCenterLinkGateway: write('network/edit_center_link_gateway', 'network:edit', {
    summary: 'Change the segment of the twin-centre link',
    input: change.extend(interlinkFields).superRefine(isAlignedSegment),
    done: 'set',
    refreshes: CENTER_READS,
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
          /** Port in use, at the end that answers. */
          port: z.int(),
          /** 1: this member answers and the other one dials. */
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
    refreshes: reads('network/point_link'),
    example: {
      ...EXAMPLE_MEMBER,
      link_config: [{ router_name: EXAMPLE.router_name, gateway: '172.31.255.0', mask: 30 }],
    },
  }),
} as const
