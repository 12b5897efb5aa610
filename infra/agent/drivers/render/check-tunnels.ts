import { ipNumber, isAddress } from '#contract/kernel/ipv4.ts'
import type { DocumentLink, DocumentNetwork, RouterDocument } from '#contract/device/document.ts'
import { type Range, parseRange } from '#domain/network/addresses/segments.ts'
import { firstRepeated } from '#infra/agent/config/check-document.ts'
import { type Failure, checkFailure } from '#infra/agent/config/config-machine.ts'
import { tunnelSegments } from './instance.ts'
import { BFD_PORT, DNS_PORT } from './nft.ts'
import type { Target } from './target.ts'
import { hasTunnels, isMutual, isPair, isUnnumbered } from './tunnels.ts'
import { MASK } from '#contract/network/limits.ts'

/**
 * Checks a document, sound field by field (check-document.ts), for faults that the tools' own checks accept and that would
 * fail on a running device. The hub compiles no such document; a device does not rely on that.
 */
export function checkTunnels(document: RouterDocument, target: Target): Failure | null {
  if (!hasTunnels(document)) return null
  const problem =
    document.networks.map((network) => networkProblem(document.asn, network)).find((found) => found !== null) ??
    portProblem(document, target) ??
    segmentProblem(document) ??
    lanProblem(document)
  return problem === null ? null : checkFailure(problem)
}

function networkProblem(asn: number, network: DocumentNetwork): string | null {
  const of = `组网${network.network_number}的`
  const { servers, links, routing, dns } = network
  if (new Set(servers.map((server) => server.service)).size < servers.length) return `${of}服务重复`
  if (servers.some(({ ip, mask }) => !isHost(ip, `${ip}/${mask}`))) return `${of}服务地址不能使用`
  if (servers.some((server) => !holdsClients(server))) return `${of}软件成员地址不在网段内，或重复`
  if (links.some((link) => !areEnds(link))) return `${of}连接的两端地址不在同一网段`
  if (isTwice(links.map((link) => link.remote_ip))) return `${of}连接的对端地址重复`
  if (links.some((link) => link.peer_asn === 0 || link.peer_asn === asn)) return `${of}对端的自治系统号不正确`
  const answered = links.filter((link) => link.role === 'server')
  if (isTwice(answered.filter((link) => !isPair(link)).map((link) => link.peer))) return `${of}连接的对端重复`
  if (answered.some((link) => isPair(link) && link.port === null)) return `${of}连接没有端口`
  const service = servers.find((server) => server.service === 'router')
  const isServed = (link: DocumentLink) => service?.ip === link.local_ip && service.mask === link.mask
  if (answered.some((link) => !isPair(link) && !isServed(link))) return `${of}连接的地址与服务的不一致`
  const isRowOff = ({ prefix, ge, le }: (typeof routing.rows)[number]) => {
    const length = Number(prefix.split('/')[1])
    return (ge ?? length) < length || (le ?? 32) < (ge ?? length)
  }
  if (routing.rows.some(isRowOff)) return `${of}网络号的掩码范围不正确`
  return dns.every(isAddress) ? null : `${of}DNS地址不能使用`
}

const isTwice = (items: readonly unknown[]): boolean => new Set(items).size < items.length

/** True for an address that a device may have: neither the first nor the last of its segment. */
function isHost(ip: string, segment: string): boolean {
  const [range, value] = [parseRange(segment), ipNumber(ip)]
  return range !== null && value !== null && isAddress(ip) && value > range.first && value < range.last
}

const areHosts = (ips: readonly string[], segment: string): boolean => ips.every((ip) => isHost(ip, segment))

function areEnds(link: DocumentLink): boolean {
  const { local_ip: own, remote_ip: ip, mask } = link
  if (isPair(link) && isUnnumbered(link)) return ip !== own && isAddress(ip) && isAddress(own)
  return ip !== own && areHosts([ip, own], `${own}/${mask}`)
}

function holdsClients({ ip, mask, pool, accounts }: DocumentNetwork['servers'][number]): boolean {
  const given = accounts.map((account) => account.ip)
  const ends = pool ? [pool.first, pool.last] : []
  const isBackward = pool !== null && (ipNumber(pool.first) ?? 0) > (ipNumber(pool.last) ?? 0)
  return !isBackward && !isTwice([ip, ...given]) && areHosts([...given, ...ends], `${ip}/${mask}`)
}

/** Problem of UDP ports: each may be used by one process only. */
function portProblem({ networks }: RouterDocument, { probePort }: Target): string | null {
  const ports = networks.flatMap(({ servers, links }) => [
    ...servers.map((server) => server.port),
    ...links.flatMap((link) =>
      (link.role === 'server' || isMutual(link)) && isPair(link) && link.port !== null ? [link.port] : [],
    ),
  ])
  const repeated = firstRepeated([...new Set([BFD_PORT, DNS_PORT, probePort]), ...ports])
  return repeated === undefined ? null : `端口${repeated}已被占用`
}

/** Networks of one routing table may not share an address; an isolated one has a table of its own. */
function segmentProblem({ networks }: RouterDocument): string | null {
  const shared = networks.filter((network) => !network.isolated)
  const tables = [shared, ...networks.filter((network) => network.isolated).map((network) => [network])]
  for (const table of tables) {
    const segments = table.flatMap((network) => tunnelSegments(network).map((segment) => ({ segment, network })))
    const sorted = segments
      .map((one) => ({ ...one, range: parseRange(one.segment) }))
      .filter((one): one is typeof one & { range: Range } => one.range !== null)
      .toSorted((a, b) => a.range.first - b.range.first || a.range.last - b.range.last)
    const hit = sorted.find((one, index) => (sorted[index - 1]?.range.last ?? -1) >= one.range.first)
    if (hit) return `组网${hit.network.network_number}的网段${hit.segment}与其他网段重叠`
  }
  return null
}

const lanProblem = ({ lans }: RouterDocument): string | null =>
  lans.some(({ segment }) => Number(segment.split('/')[1]) < MASK.prefix.min) ? '本地网段的掩码不正确' : null
