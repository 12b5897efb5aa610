/** Where to go after a sign-in: the page that was asked for, if it is one of ours, else home. */
export function afterSignIn(search: string): string {
  const wanted = new URLSearchParams(search).get('redirect') ?? '/'
  const base = 'https://console.invalid'
  if (!wanted.startsWith('/') || !URL.canParse(wanted, base)) return '/'
  const url = new URL(wanted, base)
  if (url.origin !== base || url.pathname.startsWith('/login')) return '/'
  url.searchParams.delete('token')
  return url.pathname + url.search
}
