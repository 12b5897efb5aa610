import * as z from 'zod'
import { EXAMPLE, endpoint } from '#contract/kernel/endpoint.ts'
import { networkNumber, nothing, numeric, routerName } from '#contract/kernel/fields.ts'
import { ovForm, settingRevision } from './fields.ts'
import { NETWORK } from './limits.ts'

/** Calls about a network's use of its POP resource (network 2, 7). */

const areas = { router_name: routerName, revision: settingRevision }

export const frForm = z.object({
  network_fr_id: numeric(z.int().positive()),
  mode: numeric(z.literal([1, 2])), // 1 prefers centre, 2 prefers POP
})

export const pop = {
  fr: endpoint({
    method: 'POST',
    path: 'network/fr',
    access: 'network:edit',
    summary: 'Choose the POP resource of a network; 423 while its IP config lacks the segments of POP nodes',
    input: frForm.extend({ network_number: networkNumber, revision: settingRevision }),
    output: nothing,
    done: 'set',
    refreshes: [
      'network/lists',
      'network/info',
      'network/member',
      'network_fr/lists',
      'network_fr/config',
      'network_fr/ov',
    ],
    example: { network_number: EXAMPLE.network_number, network_fr_id: 1, mode: 1 },
  }),
  memberOv: endpoint({
    method: 'POST',
    path: 'network/member_ov',
    access: 'network:edit',
    summary: 'Main and backup area of one member, or of many in `members`',
    input: ovForm.safeExtend({
      network_number: networkNumber,
      ...areas,
      router_name: routerName.optional(),
      /** Instead of the fields of one member. */
      members: z.array(ovForm.safeExtend(areas)).min(1, '请选择成员').max(NETWORK.membersMax).optional(),
    }),
    output: nothing,
    done: 'set',
    refreshes: ['network/info', 'network/member'],
    example: {
      network_number: EXAMPLE.network_number,
      router_name: EXAMPLE.router_name,
      ov_id_main: 1,
      ov_id_backup: 0,
    },
  }),
} as const
