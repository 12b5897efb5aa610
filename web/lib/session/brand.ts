import { useSyncExternalStore } from 'react'
import type { Output } from '#contract/kernel/endpoint.ts'
import { siteApi } from '#contract/site/index.ts'
import { send } from '#lib/call/transport.ts'

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
  terms: false,
  environment: 'production',
}

let brand: Brand = NO_BRAND
const listeners = new Set<() => void>()

function setBrand(next: Brand): void {
  brand = next
  if (next.accent !== '') document.documentElement.style.setProperty('--netloom-accent', next.accent)
  loadLogo(next)
  for (const listener of listeners) listener()
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

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function currentBrand(): Brand {
  return brand
}

/** Brand of this hostname (infra/hosts.json). */
export function useBrand(): Brand {
  return useSyncExternalStore(subscribe, currentBrand)
}
