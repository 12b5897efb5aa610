import { findProgram } from '../programs.ts'
import { type Problem, fatal, hint } from './problem.ts'

/* Programs that the driver starts, with their packages in Debian. */

const NEEDED: Readonly<Record<string, string>> = {
  openvpn: 'openvpn',
  zebra: 'frr',
  bgpd: 'frr',
  bfdd: 'frr',
  nft: 'nftables',
  ip: 'iproute2',
  timeout: 'coreutils',
}

/** Programs that a POP node starts besides. */
const NEEDED_BY_NODE: Readonly<Record<string, string>> = {
  unshare: 'util-linux',
  nsenter: 'util-linux',
  tail: 'coreutils',
  tee: 'coreutils',
  tc: 'iproute2',
}

/** Programs of single settings, which a device without them refuses. */
const OPTIONAL: Readonly<Record<string, readonly [package_: string, setting: string]>> = {
  dnsmasq: ['dnsmasq-base', 'DNS of a network'],
  tc: ['iproute2', 'rates'],
  unshare: ['util-linux', 'rates'],
}

/** Programs of a diagnosis. */
const DIAGNOSIS: Readonly<Record<string, string>> = { ping: 'iputils-ping', traceroute: 'traceroute' }

export async function checkInstalled(isNode: boolean, find = findProgram): Promise<Problem[]> {
  const isMissing = async (name: string) => (await find(name)) === null
  const needed = { ...NEEDED, ...(isNode && NEEDED_BY_NODE) }
  const optional = Object.entries(OPTIONAL).filter(([name]) => !(name in needed) && !(isNode && name === 'dnsmasq'))
  const problems = [
    ...Object.entries(needed).map(
      ([name, package_]) => [name, fatal(`no ${name}: install the package ${package_}`)] as const,
    ),
    ...optional.map(
      ([name, [package_, setting]]) =>
        [name, hint(`no ${name}: documents with ${setting} are refused; install the package ${package_}`)] as const,
    ),
    ...Object.entries(DIAGNOSIS).map(
      ([name, package_]) =>
        [name, hint(`no ${name}: a diagnosis by it is refused; install the package ${package_}`)] as const,
    ),
  ]
  const missing = await Promise.all(problems.map(async ([name, problem]) => ((await isMissing(name)) ? [problem] : [])))
  return missing.flat()
}
