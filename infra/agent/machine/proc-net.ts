import type { Counters } from '#contract/kernel/protocol.ts'

/** /proc/net/dev: bytes received are the first column, bytes sent the ninth. Loopback is left out. */
export function parseNetDev(text: string): Counters {
  const counters: Counters = {}
  for (const line of text.split('\n')) {
    const match = /^\s*([^\s:]+):\s*(\d.*)$/.exec(line)
    if (!match) continue
    const [, name = '', rest = ''] = match
    const columns = rest.trim().split(/\s+/).map(Number)
    const [rx, tx] = [columns[0], columns[8]]
    if (name !== 'lo' && rx !== undefined && tx !== undefined) counters[name] = { rx, tx }
  }
  return counters
}

/** /proc/net/route: the interface of the default route, the lowest metric first; null without one. */
export function parseDefaultRoute(text: string): string | null {
  const routes = text
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((c) => c[1] === '00000000' && c[7] === '00000000' && (parseInt(c[3] ?? '0', 16) & 1) === 1) // RTF_UP
    .toSorted((a, b) => Number(a[6]) - Number(b[6]))
  return routes[0]?.[0] ?? null
}
