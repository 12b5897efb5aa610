import type { RouterDocument } from '#contract/device/document.ts'
import { shape } from './rates.ts'
import type { Target } from './target.ts'

type Files = ReadonlyMap<string, string>
const TC = 'tc/bandwidth.tc'
const NFT = 'nft/bandwidth.nft'

/**
 * Bandwidth of a SaaS device: what leaves by its WAN and by its LAN is shaped; with 0 nothing is forwarded. What the running
 * files have limited and the document does not is taken off, by commands that may be repeated.
 *
 * @param before the running files; null as document takes everything off.
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

/** Back to the kernel's own queue; deleted alone, a queue that is not there any more would be an error. */
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
