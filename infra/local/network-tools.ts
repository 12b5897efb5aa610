import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { run, isExecutable } from './processes.ts'

/* Programs for tests (network tools, OpenLDAP, 389-ds, Samba): finds them, or installs them from Debian if this is root. */

/** Programs that carry networks on a router; tests let them read the files that a driver renders. */
export const NETWORK_TOOLS = {
  openvpn: '/usr/sbin/openvpn',
  bgpd: '/usr/lib/frr/bgpd',
  nft: '/usr/sbin/nft',
  dnsmasq: '/usr/sbin/dnsmasq',
  tc: '/usr/sbin/tc',
  conntrack: '/usr/sbin/conntrack',
} as const
const PACKAGES = ['openvpn', 'frr', 'nftables', 'dnsmasq-base', 'iproute2', 'conntrack', 'openssl']

export const missingTools = (): string[] => missingOf(NETWORK_TOOLS)

const missingOf = (tools: Readonly<Record<string, string>>): string[] =>
  Object.entries(tools).flatMap(([name, path]) => (isExecutable(path) ? [] : [name]))

/** Installs the network tools if this is root; else prints what to install, and the checks are skipped. */
export async function installNetworkTools(): Promise<void> {
  await installAsRoot(missingTools(), PACKAGES)
  const missing = missingTools()
  if (missing.length === 0) return
  process.stdout.write(
    `Rendered files are not checked by ${missing.join(', ')}: as root, apt-get install ${PACKAGES.join(' ')}\n`,
  )
}

/** Programs of the lab beside those of a router. */
const LAB_TOOLS = { ...NETWORK_TOOLS, ping: '/usr/bin/ping', tcpdump: '/usr/bin/tcpdump', sysctl: '/usr/sbin/sysctl' }

/** Installs the tools of the lab if this is root; names of those that are missing still. */
export async function installLabTools(): Promise<string[]> {
  await installAsRoot(missingOf(LAB_TOOLS), [...PACKAGES, 'iputils-ping', 'tcpdump', 'procps'])
  return missingOf(LAB_TOOLS)
}

/** A directory server, and the program that changes its entries. */
const DIRECTORY_TOOLS = { slapd: '/usr/sbin/slapd', ldapmodify: '/usr/bin/ldapmodify' } as const
const DIRECTORY_PACKAGES = ['slapd', 'ldap-utils']
const missingDirectoryTools = (): string[] => missingOf(DIRECTORY_TOOLS)

/** Installs OpenLDAP for tests and `npm run directory`; false with a message if that fails. */
export async function installDirectoryTools(): Promise<boolean> {
  await installAsRoot(missingDirectoryTools(), DIRECTORY_PACKAGES)
  const missing = missingDirectoryTools()
  if (missing.length === 0) return true
  process.stdout.write(
    `No directory server, ${missing.join(' and ')} missing: as root, apt-get install ${DIRECTORY_PACKAGES.join(' ')}\n`,
  )
  return false
}

/** Installs 389-ds for `npm test -- full`; its tests are skipped without it. */
export const installDs389 = (): Promise<void> =>
  installAsRoot(
    ['/usr/sbin/ns-slapd'].filter((path) => !isExecutable(path)),
    ['389-ds-base', 'python3-lib389'],
  )

/** Installs Samba as a domain controller for `npm test -- ad`; throws if that fails. */
export async function installSamba(): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error('npm test -- ad needs root: Samba gets a network namespace of its own.')
  const missing = ['/usr/sbin/samba', '/usr/bin/samba-tool', '/usr/bin/ldbadd', DIRECTORY_TOOLS.ldapmodify].filter(
    (path) => !isExecutable(path),
  )
  await installAsRoot(missing, [
    'samba',
    'samba-ad-dc',
    'samba-ad-provision',
    'samba-dsdb-modules',
    'ldb-tools',
    'ldap-utils',
    'iproute2',
  ])
}

async function installAsRoot(missing: readonly string[], packages: readonly string[]): Promise<void> {
  if (missing.length === 0 || process.getuid?.() !== 0) return
  process.stdout.write(`Installing ${packages.join(', ')} …\n`)
  await installPackages(packages)
}

/** Installs of suites that start at the same time: one by one, because they share the lock of apt and the policy below. */
let lastInstall: Promise<unknown> = Promise.resolve()

/** Installs packages of Debian, and starts none of their daemons. */
export function installPackages(packages: readonly string[]): Promise<void> {
  const install = lastInstall.catch(() => {}).then(() => aptInstall(packages))
  lastInstall = install
  return install
}

async function aptInstall(packages: readonly string[]): Promise<void> {
  await run('apt-get', ['update', '-qq'])
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } // slapd would ask for a password
  await withoutDaemons(() => run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env }))
}

const POLICY = '/usr/sbin/policy-rc.d'

/** Keeps Debian from starting the installed daemons, by a policy that answers 101. */
async function withoutDaemons(install: () => Promise<unknown>): Promise<void> {
  const isOurs = !existsSync(POLICY)
  if (isOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    await install()
  } finally {
    if (isOurs) rmSync(POLICY)
  }
}
