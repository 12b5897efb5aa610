import { publicPaths } from '#lib/public-paths.ts'
/** Target after sign-in: the `redirect` parameter if it is same-origin (no open redirect), else home. */
export function afterSignIn(search: string): string {
  const wanted = new URLSearchParams(search).get('redirect') ?? publicPaths.home
  const base = 'https://console.invalid'
  if (!wanted.startsWith('/') || !URL.canParse(wanted, base)) return publicPaths.home
  const url = new URL(wanted, base)
  url.searchParams.delete('token')
  const path = url.pathname + url.search
  // `/.//evil.example` is same-origin as typed, but normalizes to `//evil.example`.
  const isOurs = url.origin === base && new URL(path, base).origin === base
  return isOurs && !url.pathname.startsWith(publicPaths.login) ? path : publicPaths.home
}
