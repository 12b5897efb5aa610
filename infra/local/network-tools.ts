import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs'
import { run } from './run.ts'

/** What carries networks on a router: tests let these programs read the files that a driver renders. */
export const NETWORK_TOOLS = {
  openvpn: '/usr/sbin/openvpn',
  bgpd: '/usr/lib/frr/bgpd',
  nft: '/usr/sbin/nft',
  dnsmasq: '/usr/sbin/dnsmasq',
  tc: '/usr/sbin/tc',
  conntrack: '/usr/sbin/conntrack',
} as const
const PACKAGES = ['openvpn', 'frr', 'nftables', 'dnsmasq-base', 'iproute2', 'conntrack', 'openssl']

export const missingTools = (): string[] =>
  Object.entries(NETWORK_TOOLS).flatMap(([name, path]) => (isExecutable(path) ? [] : [name]))

/** Installs Debian's where this is root; else says what to install, and the checks are skipped. */
export async function installNetworkTools(): Promise<void> {
  if (missingTools().length > 0 && process.getuid?.() === 0) {
    process.stdout.write(`Installing ${PACKAGES.join(', ')} …\n`)
    await run('apt-get', ['update', '-qq'])
    await withoutDaemons(() => run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...PACKAGES]))
  }
  const missing = missingTools()
  if (missing.length === 0) return
  process.stdout.write(
    `Rendered files are not checked by ${missing.join(', ')}: as root, apt-get install ${PACKAGES.join(' ')}\n`,
  )
}

const POLICY = '/usr/sbin/policy-rc.d'

/** Keeps Debian from starting what it installs, as a policy that answers 101 does. */
async function withoutDaemons(install: () => Promise<unknown>): Promise<void> {
  const isOurs = !existsSync(POLICY)
  if (isOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    await install()
  } finally {
    if (isOurs) rmSync(POLICY)
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
