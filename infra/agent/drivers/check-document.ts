import type { RouterDocument } from '../../../worker/contract/protocol.ts'
import { ipNumber, parseRange } from '../../../worker/domain/network/segments.ts'
import type { Failure } from '../config-machine.ts'

/** Semantic checks that every driver makes before it stages a document; the hub's output is not trusted. */
export function checkDocument(document: RouterDocument): Failure | null {
  const numbers = new Set<string>()
  for (const network of document.networks) {
    const problem = networkProblem(document.router_name, network)
    if (problem) return { reason: `配置校验失败：${problem}` }
    if (numbers.has(network.network_number)) return { reason: `配置校验失败：组网${network.network_number}重复` }
    numbers.add(network.network_number)
  }
  return null
}

function networkProblem(self: string, network: RouterDocument['networks'][number]): string | null {
  const { network_number: number } = network
  if (!/^[\w-]{1,64}$/.test(number)) return '组网编号格式不正确'
  if (!network.members.some((m) => m.router_name === self)) return `组网${number}的成员中没有本设备`
  for (const { segment, ip } of network.addresses) {
    const range = parseRange(segment)
    const value = ipNumber(ip)
    if (!range || value === null || value < range.first || value > range.last) {
      return `组网${number}的地址${ip}不在网段${segment}内`
    }
  }
  if (network.software_segment !== null && !parseRange(network.software_segment)) {
    return `组网${number}的软件成员网段格式不正确`
  }
  return linksProblem(network)
}

function linksProblem({ network_number: number, links }: RouterDocument['networks'][number]): string | null {
  const ids = new Set<string>()
  for (const { id, key } of links) {
    if (ids.has(id)) return `组网${number}的连接${id}重复`
    if (!/^([0-9a-f]{2}){16,}$/.test(key)) return `组网${number}的连接${id}缺少密钥`
    ids.add(id)
  }
  return null
}
