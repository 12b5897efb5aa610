import * as z from 'zod'
import { read } from '#contract/kernel/endpoint.ts'

/* Endpoint of countries with dial codes and phone formats. */

export const country = z.object({
  code: z.string(), // ISO 3166-1 alpha-2
  name: z.string(),
  dialCode: z.string(),
  phoneFormat: z.string(),
  CNName: z.string(),
})

export const countryApi = {
  lists: read('country/lists', 'public', {
    summary: 'Countries and regions with dial codes',
    output: z.array(country),
  }),
} as const
