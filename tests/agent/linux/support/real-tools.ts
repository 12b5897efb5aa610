import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { missingTools } from '#infra/local/network-tools.ts'

/* Requirements of tests with real network namespaces and tunnels. */

/** True for root that may make network namespaces. */
export const hasNamespaces = process.getuid?.() === 0 && spawnSync('unshare', ['--net', '--', 'true']).status === 0

/** True where real tunnels can run. Elsewhere a line names the tests that are skipped. */
export function canRunTunnels(skipped: string): boolean {
  const canRun = hasNamespaces && existsSync('/dev/net/tun') && missingTools().length === 0
  if (!canRun) console.log(`skipped: ${skipped} (root, /dev/net/tun and the network tools needed)`)
  return canRun
}
