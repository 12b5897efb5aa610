import * as z from 'zod'
import { endpoint } from '#contract/kernel/endpoint.ts'
import { empty } from '#contract/kernel/fields.ts'

/** Brand that a hostname shows (infra/hosts.json). */
export const brand = z.object({
  /** Brand name; null where the host shows none. */
  name: z.string().nullable(),
  title: z.string(),
  logo: z.string(),
  logo_dark: z.string(),
  /** CSS colour; the accent of buttons and links. */
  accent: z.string(),
  handbook: z.boolean(),
  copyright: z.string().nullable(),
  filing_number: z.string().nullable(),
  terms: z.boolean(),
})

export const siteApi = {
  config: endpoint({
    method: 'GET',
    path: 'site/config',
    access: 'public',
    summary: 'Brand of the hostname that is asked',
    input: empty,
    output: brand.extend({ environment: z.enum(['local', 'staging', 'production']) }),
    example: {},
  }),
} as const
