import type { RouterDocument } from '#contract/device/document.ts'
import type { Files } from '../release.ts'
import type { Instance } from './instance.ts'
import type { Target } from './target.ts'

/* Renders bandwidth limits as commands: rates of POP links, and the bandwidth of a SaaS device. */

/** Smallest burst in kB: it has to hold the bytes of one tick of the kernel's clock at the rate. */
const BURST_MIN = 64
const LATENCY_MS = 100
/** Handle of our queues, by which they differ from those of others. */
export const SHAPER_HANDLE = '6e6c:'

/** Traffic shaping of this device's ends of POP links, a command for each tunnel; null: none has a rate. */
export function renderRates({ networks }: Instance): string | null {
  const lines = networks
    .flatMap(({ tunnels }) => tunnels)
    .flatMap((tunnel) => {
      const { rate_mbps: rate } = 'server' in tunnel ? tunnel.server : tunnel.link
      return rate === null ? [] : [shape(tunnel.device, rate)]
    })
  return lines.length === 0 ? null : `${lines.join('\n')}\n`
}

/** Traffic control command that limits one device to `rate` Mbit/s. */
function shape(device: string, rate: number): string {
  const burst = Math.max(BURST_MIN, Math.ceil(rate))
  return `qdisc replace dev ${device} root handle ${SHAPER_HANDLE} tbf rate ${rate}mbit burst ${burst}kb latency ${LATENCY_MS}ms`
}

const TC = 'tc/bandwidth.tc'
const NFT = 'nft/bandwidth.nft'

/**
 * Bandwidth of a SaaS device: traffic that leaves by its WAN and its LAN is shaped; with 0 nothing is forwarded. Limits of
 * the running files that the document does not have are removed, by commands that may be repeated.
 *
 * @param before the running files; null as document removes all limits.
 */
export function renderBandwidth(
  document: Pick<RouterDocument, 'bandwidth_mbps'> | null,
  { wan, lan }: Target,
  before: Files,
): readonly (readonly [path: string, text: string])[] {
  const rate = document?.bandwidth_mbps
  const shaped = rate === undefined || rate === 0 ? [] : [...wan, ...lan]
  const lifted = devicesIn(before.get(TC) ?? '').filter((device) => !shaped.includes(device))
  const lines = [...lifted.flatMap(unshape), ...shaped.map((device) => shape(device, rate ?? 0))]
  const filter = rate === 0 ? [...NO_FILTER, ...FILTER] : before.has(NFT) ? NO_FILTER : []
  const files = { [NFT]: filter, [TC]: lines }
  return Object.entries(files).flatMap(([path, text]) =>
    text.length === 0 ? [] : [[path, `${text.join('\n')}\n`] as const],
  )
}

const devicesIn = (commands: string): readonly string[] => [
  ...new Set([...commands.matchAll(/ dev (\S+) /g)].map(([, device = '']) => device)),
]

/** Returns to the kernel's own queue; deleting alone would be an error if the queue is not there any more. */
const unshape = (device: string): readonly string[] => [
  `qdisc replace dev ${device} root pfifo`,
  `qdisc del dev ${device} root`,
]

/** Deletes the table; it is added first, because it may not be there. */
const NO_FILTER = ['table inet netloom_bandwidth {}', 'delete table inet netloom_bandwidth']
const FILTER = [
  'table inet netloom_bandwidth {',
  '  chain forward {',
  '    type filter hook forward priority -10; policy drop;',
  '  }',
  '}',
]
