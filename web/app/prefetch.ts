import { pageLoader } from './pages.ts'

const asked = new Set<string>()
let pending = 0

/** A chunk is being fetched ahead: where it fails, nobody has asked for it yet. */
export const isPrefetching = (): boolean => pending > 0

function prefetchPage(pathname: string): void {
  const load = pageLoader(pathname)
  if (load === undefined || asked.has(pathname)) return
  asked.add(pathname)
  pending++
  void load()
    .catch(() => asked.delete(pathname))
    .finally(() => pending--)
}

/** Fetches the chunk of a page while the pointer or the focus is on a link to it. */
export function prefetchLinks(): void {
  const onPointed = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
    if (link?.origin === location.origin) prefetchPage(link.pathname)
  }
  for (const type of ['pointerover', 'focusin']) document.addEventListener(type, onPointed, { passive: true })
}
