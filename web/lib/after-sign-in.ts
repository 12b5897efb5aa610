/** Where to go after a sign-in: the page that was asked for, if it is one of ours, else home. */
export function afterSignIn(search: string): string {
  const wanted = new URLSearchParams(search).get('redirect') ?? '/'
  const base = 'https://console.invalid'
  if (!wanted.startsWith('/') || !URL.canParse(wanted, base)) return '/'
  const url = new URL(wanted, base)
  url.searchParams.delete('token')
  const path = url.pathname + url.search
  // `/.//evil.example` is ours until its dots are taken away, and then is not.
  const isOurs = url.origin === base && new URL(path, base).origin === base
  return isOurs && !url.pathname.startsWith('/login') ? path : '/'
}
