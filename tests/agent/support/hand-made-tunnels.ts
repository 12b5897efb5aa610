import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Bed } from '#infra/lab/bed/bed.ts'
import { routerName } from '#infra/lab/bed/plan.ts'
import { SITES, type SiteName } from '#infra/lab/bed/sites.ts'
import { poll } from '#infra/lab/poll.ts'

/*
 * Tunnels by hand in the bed of the lab: point to point, with one key and static routes. Centre B has A, C, D and E, centre F
 * has E, and X has Y. Checks of packets are tried against them, and against what each of them must notice.
 */

export interface Faults {
  /** Tunnels carry in clear. */
  readonly isClear?: boolean
  /** Segments keep their size. */
  readonly isUnclamped?: boolean
  /** Hosts of one network reach those of the other through E. */
  readonly isLeaking?: boolean
  /** The service of a router answers tunnels, too. */
  readonly isOpen?: boolean
}

const LINKS: readonly (readonly [center: SiteName, client: SiteName])[] = [
  ['B', 'A'],
  ['B', 'C'],
  ['B', 'D'],
  ['B', 'E'],
  ['F', 'E'],
  ['X', 'Y'],
]
const FIRST_PORT = 21_000
const READY_MS = 20_000

/** LANs that a client reaches through its centre: those of the centre and of its other clients. */
const behind = (center: SiteName, client: SiteName): readonly SiteName[] => [
  center,
  ...LINKS.flatMap(([own, other]) => (own === center && other !== client ? [other] : [])),
]

const CLAMP = `  chain clamp { type filter hook forward priority mangle; tcp flags syn tcp option maxseg size set 1300; }\n`
const CLOSED = `  chain closed { type filter hook input priority 0; iifname "ov*" tcp dport 22 drop; }\n`
const SEPARATE = `  chain separate { type filter hook forward priority 0; iifname "ov*" oifname "ov*" drop; }\n`

export async function openTunnels(bed: Bed, folder: string, faults: Faults = {}): Promise<void> {
  await startTunnels(bed, folder, faults)
  for (const [n, [center, client]] of LINKS.entries()) {
    await route(bed, center, client, n)
    for (const site of behind(center, client)) await route(bed, client, site, n)
  }
  if (faults.isLeaking) for (const [site, to, n] of LEAK) await route(bed, site, to, n)
  for (const site of new Set(LINKS.flat())) {
    await run(bed, site, ['sysctl', '-qw', 'net.ipv4.ip_forward=1'])
    await run(bed, site, ['nft', '-f', '-'], `table inet hand {\n${rulesOf(site, faults).join('')}}\n`)
  }
}

/** From C over B and E to F, and back. */
const LEAK = [
  ['C', 'F', 1],
  ['B', 'F', 3],
  ['F', 'C', 4],
] as const

const rulesOf = (site: SiteName, { isUnclamped, isOpen, isLeaking }: Faults): readonly string[] => [
  ...(isUnclamped ? [] : [CLAMP]),
  ...(isOpen ? [] : [CLOSED]),
  ...(site === 'E' && !isLeaking ? [SEPARATE] : []),
]

const route = (bed: Bed, from: SiteName, to: SiteName, link: number) =>
  run(bed, from, ['ip', 'route', 'add', SITES[to].lans[0].segment, 'dev', `ov${link}`])

async function run(bed: Bed, site: SiteName, argv: readonly string[], input = ''): Promise<void> {
  const { code, output } = await bed.run(routerName(site), argv, { input })
  if (code !== 0) throw new Error(`${argv.join(' ')}: ${output}`)
}

async function startTunnels(bed: Bed, folder: string, { isClear }: Faults): Promise<void> {
  const key = join(folder, 'static.key')
  execFileSync('openvpn', ['--genkey', 'secret', key])
  const ciphers = isClear ? ['--cipher', 'none', '--auth', 'none'] : ['--cipher', 'AES-256-CBC']
  const sizes = ['--tun-mtu', '1400', '--mssfix', '0', '--ping', '1']
  const common = ['openvpn', '--dev-type', 'tun', '--proto', 'udp4', '--secret', key, ...ciphers, ...sizes]
  const outputs: string[] = []
  const start = (site: SiteName, argv: readonly string[]) => {
    const child = bed.start(routerName(site), [...common, ...argv], { output: 'pipe' })
    const n = outputs.push('') - 1
    child.stdout?.on('data', (chunk: Buffer) => (outputs[n] += chunk.toString()))
  }
  for (const [n, [center, client]] of LINKS.entries()) {
    const [one, other, port] = [`10.99.${n}.1`, `10.99.${n}.2`, String(FIRST_PORT + n)]
    start(center, ['--dev', `ov${n}`, '--lport', port, '--float', '--ifconfig', one, other])
    start(client, ['--dev', `ov${n}`, '--remote', SITES[center].address, port, '--nobind', '--ifconfig', other, one])
  }
  const isUp = (text: string) => text.includes('Initialization Sequence Completed')
  await poll(
    'the tunnels are up',
    READY_MS,
    () => outputs.filter((text) => !isUp(text)),
    (rest) => rest.length === 0,
  )
}
