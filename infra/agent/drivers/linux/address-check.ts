import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import type { RouterDocument } from '#contract/device/document.ts'
import { parseRange } from '#domain/network/addresses/segments.ts'
import { type Failure, checkFailure } from '#infra/agent/config/config-machine.ts'
import { tunnelSegments } from '../render/instance.ts'
import type { Target } from '../render/target.ts'

/** Failure of a document with a tunnel segment that overlaps an address of the device's own WAN or LAN. */
export function checkAddresses(
  { networks }: RouterDocument,
  { wan, lan }: Target,
  known: NodeJS.Dict<NetworkInterfaceInfo[]> = networkInterfaces(),
): Failure | null {
  const own = [...wan, ...lan].flatMap((name) =>
    (known[name] ?? []).flatMap(({ family, cidr }) => {
      const range = family === 'IPv4' && cidr !== null ? parseRange(cidr) : null
      return range ? [{ name, range }] : []
    }),
  )
  for (const network of networks.filter(({ isolated }) => !isolated)) {
    for (const segment of tunnelSegments(network)) {
      const range = parseRange(segment)
      const hit = range && own.find((each) => each.range.first <= range.last && range.first <= each.range.last)
      if (hit) return checkFailure(`组网${network.network_number}的网段${segment}与接口${hit.name}的网段重叠`)
    }
  }
  return null
}
