import { type Violation, violation } from '#contract/kernel/result.ts'
import { NETWORK, POP } from '#contract/network/limits.ts'
import { nameTooLong } from '#contract/network/networks.ts'

interface NamedNetwork {
  readonly name: string
  readonly isPop: boolean
}

export const nameMax = ({ isPop }: Pick<NamedNetwork, 'isPop'>): number => (isPop ? POP.nameMax : NETWORK.nameMax)

/** A network with a POP resource may have a longer name (network 2), which it keeps when the resource goes. */
export function checkName(name: string, network: NamedNetwork): Violation | null {
  const max = nameMax(network)
  if (name === network.name || name.length <= max) return null
  return violation('INPUT_INVALID', { reason: nameTooLong(max) }, 'network_name')
}
