/* Allowed link targets and image addresses of rendered texts. */

const LINK_SCHEMES = ['https:', 'http:', 'mailto:', 'tel:']

/** Page of this console or another site; null if the link is not allowed. */
export type LinkTarget = { readonly path: string } | { readonly url: string } | null

export function toLinkTarget(href: string, origin: string): LinkTarget {
  const url = parse(href, origin)
  if (url === null || !LINK_SCHEMES.includes(url.protocol)) return null
  return url.origin === origin ? { path: url.pathname + url.search + url.hash } : { url: url.href }
}

/** Images load from this host alone, by the policy of the page. */
export function toImageSource(href: string, origin: string): string | null {
  const url = parse(href, origin)
  return url !== null && url.origin === origin ? url.pathname + url.search : null
}

function parse(href: string, origin: string): URL | null {
  try {
    return new URL(href, origin)
  } catch {
    return null
  }
}
