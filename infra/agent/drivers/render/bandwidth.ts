import type { RouterDocument } from '../../../../worker/contract/router-document.ts'
import { shape } from './rates.ts'
import type { Target } from './target.ts'

/** Bandwidth of a SaaS device: what leaves by its WAN and by its LAN is shaped; with 0 nothing is forwarded. */
export function renderBandwidth(
  { bandwidth_mbps: rate }: Pick<RouterDocument, 'bandwidth_mbps'>,
  { wan, lan }: Target,
): readonly (readonly [path: string, text: string])[] {
  if (rate === undefined) return []
  if (rate === 0) return [['nft/bandwidth.nft', OFF]]
  const lines = [...wan, ...lan].map((device) => shape(device, rate))
  return lines.length === 0 ? [] : [['tc/bandwidth.tc', `${lines.join('\n')}\n`]]
}

const OFF = `table inet netloom_bandwidth {
  chain forward {
    type filter hook forward priority -10; policy drop;
  }
}
`
