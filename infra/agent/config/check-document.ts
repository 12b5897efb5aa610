import { type RouterDocument, routerDocument } from '#contract/device/document.ts'
import {
  type DeviceSettingKey,
  unsupportedSettings,
  unsupportedText,
  usedSettings,
} from '#domain/network/compile/device-settings.ts'
import { ipNumber } from '#contract/kernel/ipv4.ts'
import { parseRange } from '#domain/network/addresses/segments.ts'
import { type Failure, checkFailure } from './config-machine.ts'

/* Checks a document before a driver gets it: its fields, its settings, and the contents of its networks. */

/** Names of fields in the console. A failure shows these words and no text of the document. */
const WORDS: Readonly<Record<string, string>> = {
  router_name: '成员名称',
  networks: '组网',
  network_number: '组网编号',
  member_type: '成员类型',
  ciphers: '加密方式',
  addresses: '地址',
  center: '中心点名称',
  segment: '网段',
  ip: '地址',
  software_segment: '软件成员网段',
  members: '成员',
  links: '连接',
  id: '连接编号',
  peer: '连接的对端',
  role: '连接的方向',
  endpoint: '连接的地址',
  host: '连接的地址',
  port: '连接的端口',
  key: '连接的密钥',
  kind: '连接的类型',
  carrier: '连接的方式',
  remotes: '连接的地址',
  local_ip: '连接的本端地址',
  remote_ip: '连接的对端地址',
  mask: '掩码',
  peer_asn: '对端的自治系统号',
  peer_prefixes: '对端的网段',
  preference: '连接的优先级',
  rate_mbps: '带宽',
  bandwidth_mbps: '带宽',
  isolated: '隔离方式',
  servers: '服务',
  service: '服务',
  pool: '地址池',
  first: '地址池',
  last: '地址池',
  accounts: '软件成员',
  name: '软件成员名称',
  routes: '路由网段',
  routing: '路由',
  paths: '路由的路径数',
  announce: '路由的来源',
  rows: '网络号',
  permit: '网络号的动作',
  prefix: '网络号',
  ge: '网络号的掩码范围',
  le: '网络号的掩码范围',
  system: '路由网段',
  default: '默认路由',
  mode: '默认路由',
  metric: '默认路由的优先级',
  dns: 'DNS地址',
  asn: '自治系统号',
  lans: '本地网段',
  via: '本地网段的下一跳',
}

/** Failure of a document that no driver may get. The hub compiles no such document; a device does not rely on that. */
export function checkDocument(body: unknown): Failure | null {
  const parsed = routerDocument.safeParse(body)
  const problem = parsed.success ? contentProblem(parsed.data) : fieldProblem(parsed.error.issues[0]?.path ?? [])
  return problem === null ? null : checkFailure(problem)
}

/** Failure of a document with a setting that the device does not carry: it must not run weaker than the console shows. */
export function checkSettings(document: RouterDocument, carried: readonly DeviceSettingKey[]): Failure | null {
  const unsupported = unsupportedSettings(usedSettings(document), carried)
  return unsupported.length === 0 ? null : { reason: unsupportedText(unsupported) }
}

function fieldProblem(path: readonly PropertyKey[]): string {
  const [, index] = path
  const field = path.findLast((key) => typeof key === 'string') ?? ''
  const place = typeof index === 'number' ? `第${index + 1}个组网的` : ''
  return `${place}${WORDS[field] ?? '内容'}格式不正确，或数量超出上限`
}

function contentProblem({ router_name: self, networks }: RouterDocument): string | null {
  const numbers = networks.map((network) => network.network_number)
  for (const [index, network] of networks.entries()) {
    const problem = networkProblem(self, network)
    if (problem) return problem
    if (numbers.indexOf(network.network_number) < index) return `组网${network.network_number}重复`
  }
  return null
}

export function firstRepeated<T>(items: readonly T[]): T | undefined {
  const seen = new Set<T>()
  return items.find((item) => seen.has(item) || !seen.add(item))
}

function networkProblem(self: string, network: RouterDocument['networks'][number]): string | null {
  const { network_number: number } = network
  const isNode = network.member_type === 'pop' // carries a network without being a member of it
  if (!isNode && !network.members.some((m) => m.router_name === self)) return `组网${number}的成员中没有本设备`
  for (const { segment, ip } of network.addresses) {
    const range = parseRange(segment)
    const value = ipNumber(ip)
    if (!range || value === null || value < range.first || value > range.last) {
      return `组网${number}的地址${ip}不在网段${segment}内`
    }
  }
  const repeated = firstRepeated(network.links.map(({ id }) => id))
  return repeated === undefined ? null : `组网${number}的连接${repeated}重复`
}
