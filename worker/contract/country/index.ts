import * as z from 'zod'
import { endpoint } from '#contract/kernel/endpoint.ts'
import { empty } from '#contract/kernel/fields.ts'

export const country = z.object({
  code: z.string(), // ISO 3166-1 alpha-2
  name: z.string(),
  dialCode: z.string(),
  phoneFormat: z.string(),
  CNName: z.string(),
})

export const countryApi = {
  lists: endpoint({
    method: 'GET',
    path: 'country/lists',
    access: 'public',
    summary: 'Countries and regions with dial codes',
    input: empty,
    output: z.array(country),
    example: {},
  }),
} as const
