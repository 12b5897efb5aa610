import * as z from 'zod'
import { country } from '#contract/country/index.ts'
import { read } from '#contract/kernel/endpoint.ts'
import { numeric } from '#contract/kernel/fields.ts'

/** Endpoint of exit countries of bandwidth pools. */
export const addressApi = {
  country: read('address/country', 'session:all', {
    reads: 'near',
    summary: 'Countries and regions of the exits of a bandwidth pool',
    input: z.object({ pool_id: numeric(z.int().positive()) }),
    output: z.array(country),
    example: { pool_id: 1 },
  }),
} as const
