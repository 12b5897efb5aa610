import * as z from 'zod'
import { read } from '#contract/kernel/endpoint.ts'

/* Endpoint of the brand of a hostname. */

/** Brand of a hostname (infra/hosts.json). */
export const brand = z.object({
  /** Brand name; null if the host shows none. */
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
  config: read('site/config', 'public', {
    summary: 'Brand of the hostname that is asked',
    output: brand.extend({ environment: z.enum(['local', 'staging', 'production']) }),
  }),
} as const
