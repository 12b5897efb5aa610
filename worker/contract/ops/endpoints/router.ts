import * as z from 'zod'
import { write } from '#contract/kernel/endpoint.ts'
import { confirmed, routerName } from '#contract/kernel/fields.ts'
import { hubPlace } from './account.ts'

/** Operator's endpoint of routers. */
export const routerOps = {
  rehome: write('router/rehome', 'operator:admin', {
    summary:
      'Give a router a hub at another place; with --confirm also where the old one does not answer, whose series are lost',
    input: z.object({ router: routerName, place: hubPlace, confirm: confirmed }),
    /** Number of stored values and rows that the new hub has got; null: they are lost. */
    output: z.object({ copied: z.int().nullable() }),
    done: 'set',
    example: { router: 'NL-R100-0001', place: 'apac' },
  }),
} as const
