import * as z from 'zod'
import { EXAMPLE, write } from '#contract/kernel/endpoint.ts'
import { note, routerName } from '#contract/kernel/fields.ts'
import { settingRevision, staticRoutes } from '#contract/network/fields.ts'
import { MEMBER_READS, NETWORK_READS } from '#contract/network/views.ts'
import { endpointsForm } from './endpoints.ts'
import { activationCode, serialNumber, bulkCounts, bulkNames, bulkResult } from './fields.ts'

/* Endpoints of hardware members: static routes, replacement of a device, bulk calls. */

export const staticRoutesForm = z.object({ routes: staticRoutes })
/** The new device: `username` is its serial, `code` the activation code printed on its box. */
export const replaceForm = z.object({ username: serialNumber, code: activationCode })

export const hardware = {
  staticRoutes: write('router/static_routes', 'router:edit', {
    summary:
      'Segments behind next hops on the LANs of a device: its networks learn them as its own. All of them at once',
    input: staticRoutesForm.extend({ router_name: routerName, revision: settingRevision }),
    /** Network numbers that were corrected to the boundary of their mask. */
    output: z.array(z.object({ row: z.int(), old: z.string(), new: z.string() })),
    done: 'set',
    refreshes: [...MEMBER_READS, ...NETWORK_READS, 'network/routes'],
    example: {
      router_name: EXAMPLE.router_name,
      routes: [{ prefix: '10.9.0.0', mask: 24, via: '192.168.1.254' }],
    },
  }),
  endpoints: write('router/endpoints', 'router:edit', {
    summary:
      'Addresses and names at which other members dial a router, in their order and before those of its device. All of them at once',
    input: endpointsForm.extend({ router_name: routerName, revision: settingRevision }),
    done: 'set',
    refreshes: ['router/info'],
    example: { router_name: EXAMPLE.router_name, endpoints: [{ host: '203.0.113.10' }, { host: 'vpn.example.com' }] },
  }),
  replace: write('router/replace', 'router:edit', {
    accessOf: () => ['router:create'], // because the call claims a device
    summary:
      'A new device takes the place of a broken one: its note, networks, addresses and settings. The old one is free',
    input: replaceForm.extend({ router_name: routerName }),
    output: z.object({ router_name: routerName }),
    done: 'replaced',
    // Leaves out router/info, because the old name no longer exists.
    refreshes: ['router/lists', 'router/member', ...NETWORK_READS, 'network/routes'],
    example: { router_name: EXAMPLE.router_name, username: 'NL000000', code: 'AAAA-AAAA-AAAA' },
  }),
  batchNote: write('router/batch_note', 'router:edit', {
    summary: 'The same note for several members; one that may not get it says why. Refused where none may',
    input: z.object({ router_name: bulkNames, note }),
    output: bulkResult,
    done: 'changed',
    counts: bulkCounts,
    refreshes: ['router/lists', 'router/info', 'router/member', 'network/info', 'network/member'],
    example: { router_name: [EXAMPLE.router_name], note: '门店' },
  }),
  batchResend: write('router/batch_resend', 'router:edit', {
    summary: 'Push the newest configuration of several hardware members again; refused where none can get it',
    input: z.object({ router_name: bulkNames }),
    output: bulkResult,
    done: 'resent',
    counts: bulkCounts,
    example: { router_name: [EXAMPLE.router_name] },
  }),
} as const
