import type { Instance } from './instance.ts'
import type { Tunnel } from './tunnels.ts'

/** Bytes that may pass at once, in kB: a tick of the kernel's clock has to hold as much as the rate brings in it. */
const BURST_MIN = 64
const LATENCY_MS = 100

/** Traffic shaping of this device's ends of POP links, a command for each tunnel; null: none has a rate. */
export function renderRates({ networks }: Instance): string | null {
  const lines = networks
    .flatMap(({ tunnels }) => tunnels)
    .flatMap((tunnel) => {
      const rate = rateOf(tunnel)
      if (rate === null) return []
      return [shape(tunnel.device, rate)]
    })
  return lines.length === 0 ? null : `${lines.join('\n')}\n`
}

/** Traffic control command that limits one device to `rate` Mbit/s. */
export function shape(device: string, rate: number): string {
  const burst = Math.max(BURST_MIN, Math.ceil(rate))
  return `qdisc replace dev ${device} root tbf rate ${rate}mbit burst ${burst}kb latency ${LATENCY_MS}ms`
}

function rateOf(tunnel: Tunnel): number | null {
  if (tunnel.type === 'access-server' || tunnel.type === 'software-server') return tunnel.server.rate_mbps
  return tunnel.link.rate_mbps
}
