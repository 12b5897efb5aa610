import type { Output } from '#contract/kernel/endpoint.ts'
import { siteApi } from '#contract/site/index.ts'
import { send } from '#lib/call/transport.ts'
import { publicPaths } from '#lib/public-paths.ts'
import { createStore, useStore } from '#lib/store.ts'

/* Brand of this hostname: name, logo, accent and legal texts. */

export type Brand = Output<typeof siteApi.config>

const NO_BRAND: Brand = {
  name: null,
  title: '智能组网控制台',
  logo: '',
  logo_dark: '',
  accent: '',
  handbook: false,
  copyright: null,
  filing_number: null,
  terms: null,
  environment: 'production',
}

const brand = createStore(NO_BRAND)

function setBrand(next: Brand): void {
  if (next.accent !== '') document.documentElement.style.setProperty('--netloom-accent', next.accent)
  loadLogo(next)
  brand.set(next)
}

/** Uses the preloaded logo at once: browsers warn about a preload that the page does not use. */
function loadLogo({ logo, logo_dark }: Brand): void {
  const src = matchMedia('(prefers-color-scheme: dark)').matches ? logo_dark : logo
  if (src !== '') new Image().src = src
}

/** Called once before the first render. The Worker writes the brand into the page; without it the API is asked. */
export function startBrand(): void {
  const written = document.getElementById('brand')?.textContent
  if (written) return setBrand({ ...NO_BRAND, ...(JSON.parse(written) as Partial<Brand>) })
  void send(siteApi.config, {}, null).then(
    ({ data }) => setBrand(data),
    () => null, // the page works without a logo
  )
}

export const currentBrand = brand.get

/** Hosts and their brands: infra/hosts.json. */
export function useBrand(): Brand {
  return useStore(brand)
}

export type LegalKind = keyof NonNullable<Brand['terms']>

/** Address of the host's terms or privacy policy; null if it has none. */
export function legalAddress({ terms }: Brand, kind: LegalKind): string | null {
  if (terms === null) return null
  return terms[kind].startsWith('https:') ? terms[kind] : publicPaths[kind]
}
