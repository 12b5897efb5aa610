import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DocumentLink } from '#contract/device/document.ts'
import { type RouterDocument, routerDocument } from '#contract/device/document.ts'
import { DAEMONS, daemonSpec, prepareFolder } from '#infra/agent/drivers/linux/frr/daemons.ts'
import { prepareShared, writeKeys, writeRevoked } from '#infra/agent/drivers/linux/openvpn/tunnel-files.ts'
import { type OpenvpnWanted, wantedOpenvpn } from '#infra/agent/drivers/linux/openvpn/wanted.ts'
import { renderDocument } from '#infra/agent/drivers/render/render.ts'
import { NO_TARGET } from '#infra/agent/drivers/render/target.ts'
import type { Bed } from '#infra/lab/bed/bed.ts'
import { type Output, watchOutput } from '#infra/lab/software/output.ts'
import { runAt } from '../by-hand.ts'

/*
 * Tunnels and sessions of many points by hand, all at one host: an OpenVPN for each with an interface and a routing table of
 * its own, and one FRR with a view for each, whose sessions have BFD.
 */

/** One point: its document, and the number of its interface. */
export interface DialledPoint {
  readonly number: number
  /** State folder of its agent. */
  readonly state: string
  readonly document: RouterDocument
  readonly link: DocumentLink
}

/** First routing table of the points. */
const TABLES = 1_000
/** Without it the kernel would answer for an address by the interface of another point. */
const SYSCTLS = ['net.ipv4.conf.all.arp_filter=1', 'net.ipv4.conf.all.rp_filter=0', 'net.ipv4.conf.default.rp_filter=0']

/** Point whose agent has its keys and its link; null before. */
export function readPoint(state: string, number: number): DialledPoint | null {
  const file = join(state, 'config.json')
  if (!existsSync(file)) return null
  const { confirmed } = JSON.parse(readFileSync(file, 'utf8')) as { confirmed: { body: unknown } | null }
  if (!confirmed) return null
  const document = routerDocument.parse(confirmed.body)
  const link = document.networks[0]?.links[0]
  const isSigned = document.authorities?.some(({ certificate }) => certificate !== null) === true
  return link && link.remotes.length > 0 && isSigned ? { number, state, document, link } : null
}

const deviceOf = ({ number }: DialledPoint): string => `ov1c${number}`

/** Writes the files of a point as the driver does, and starts its OpenVPN. @param shared folder that others may enter */
export async function dial(bed: Bed, host: string, point: DialledPoint, shared: string): Promise<Output> {
  const device = deviceOf(point)
  const folders = { keys: join(point.state, 'keys'), shared: join(shared, device) }
  mkdirSync(folders.shared, { recursive: true, mode: 0o711 })
  await prepareShared(folders)
  const { processes, keys } = renderPoint(point, folders)
  for (const [number, own] of Object.entries(keys)) {
    await writeKeys(folders, number, own)
    await writeRevoked(folders, number, own.revoked)
  }
  const file = join(point.state, `${device}.conf`)
  writeFileSync(file, processes[device]?.config ?? '', { mode: 0o600 })
  return watchOutput(device, bed.start(host, ['openvpn', '--config', file], { output: 'pipe' }))
}

function renderPoint(
  { document, link, number }: DialledPoint,
  folders: { keys: string; shared: string },
): OpenvpnWanted {
  const network = document.networks[0]?.network_number ?? ''
  const slots = new Map([[network, { slot: 1, links: new Map([[link.id, number]]) }]])
  const target = { ...NO_TARGET, ...folders }
  return wantedOpenvpn({ document, slots, target, files: renderDocument(document, slots, target) })
}

/** Lets each point send by its own interface, once all have their addresses. */
export async function separatePoints(bed: Bed, host: string, points: readonly DialledPoint[]): Promise<void> {
  await runAt(bed, host, ['sysctl', '-qw', ...SYSCTLS])
  const lines = points.flatMap((point) => {
    const { local_ip: own, remote_ip: center } = point.link
    const table = TABLES + point.number
    return [
      `rule add from ${own} lookup ${table}`,
      `route add ${center} dev ${deviceOf(point)} src ${own} table ${table}`,
    ]
  })
  await runAt(bed, host, ['ip', '-batch', '-'], `${lines.join('\n')}\n`)
}

/** Configuration of a bgpd with a view for each point, which announces its LAN. Pure. */
const renderViews = (points: readonly DialledPoint[]): string =>
  points
    .flatMap(({ number, document: { asn, lans }, link: { local_ip: own, remote_ip: center, peer_asn: peer } }) => [
      `router bgp ${asn} view p${number}`,
      ` bgp router-id ${own}`,
      ' no bgp ebgp-requires-policy',
      ' no bgp network import-check',
      ` neighbor ${center} remote-as ${peer}`,
      ` neighbor ${center} bfd`,
      ` neighbor ${center} update-source ${own}`,
      ` neighbor ${center} timers 3 9`,
      ` neighbor ${center} timers connect 1`,
      ' address-family ipv4 unicast',
      ...lans.map(({ segment }) => `  network ${segment}`),
      ' exit-address-family',
      'exit',
    ])
    .concat('')
    .join('\n')

/** Starts one FRR for all points. @param run folder of its sockets */
export async function startViews(
  bed: Bed,
  host: string,
  points: readonly DialledPoint[],
  run: string,
): Promise<readonly Output[]> {
  mkdirSync(run, { recursive: true, mode: 0o711 })
  await prepareFolder(run)
  const config = join(run, 'frr', 'bgpd.conf')
  writeFileSync(config, renderViews(points))
  chmodSync(config, 0o644)
  const outputs: Output[] = []
  for (const daemon of DAEMONS) {
    const { argv } = await daemonSpec(daemon, { run, suffix: '' })
    const own = argv.map((word, n) => (daemon === 'bgpd' && argv[n - 1] === '-f' ? config : word))
    const output = watchOutput(daemon, bed.start(host, own, { output: 'pipe' }))
    outputs.push(output)
  }
  return outputs
}
