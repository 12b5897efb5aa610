import * as z from 'zod'
import { bulkNames, bulkResult } from './bulk.ts'
import { EXAMPLE, endpoint } from './endpoint.ts'
import { networkNumber } from './fields.ts'
import { MEMBER_READS, NETWORK_READS } from './reads.ts'

/** Part of `networkApi`. */
export const bulkCalls = {
  batchAddMember: endpoint({
    method: 'POST',
    path: 'network/batch_add_member',
    access: 'network:edit',
    summary: 'Add several members as points; one that may not join says why. Refused where none may',
    input: z.object({ network_number: networkNumber, router_name: bulkNames }),
    output: bulkResult,
    done: 'added',
    refreshes: [...NETWORK_READS, ...MEMBER_READS],
    example: { network_number: EXAMPLE.network_number, router_name: [EXAMPLE.router_name] },
  }),
} as const
