import * as z from 'zod'
import { read } from '#contract/kernel/endpoint.ts'

/* Endpoint of the brand of a hostname. */

/** `console`: the text in the pages of this console. Else an https address, or the path of a Markdown file of the console. */
const legalText = z.string()

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
  /** Terms of service and privacy policy of the host; null if it has none. */
  terms: z.object({ clause: legalText, privacy: legalText }).nullable(),
})

/** Cookie with the theme that a person has chosen in this browser, for the outline of the next page. */
export const THEME_COOKIE = 'netloom_theme'

export const siteApi = {
  config: read('site/config', 'public', {
    summary: 'Brand of the hostname that is asked',
    output: brand.extend({ environment: z.enum(['local', 'staging', 'production']) }),
  }),
} as const
