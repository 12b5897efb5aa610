import { pageLoader } from './pages.ts'

/* Fetches the chunk of a page while the pointer or the focus is on a link to it. */

const asked = new Set<string>()
let pending = 0

/** A prefetch is running; its failure must not reload the document. */
export const isPrefetching = (): boolean => pending > 0

function prefetchPage(pathname: string): void {
  const load = pageLoader(pathname)
  // Browsers keep the failure of an import: one without a network would still fail when the page is wanted.
  if (load === undefined || asked.has(pathname) || !navigator.onLine) return
  asked.add(pathname)
  pending++
  void load()
    .catch(() => asked.delete(pathname))
    .finally(() => pending--)
}

export function prefetchLinks(): void {
  const onPointed = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
    if (link?.origin === location.origin) prefetchPage(link.pathname)
  }
  for (const type of ['pointerover', 'focusin']) document.addEventListener(type, onPointed, { passive: true })
}
