import type { ConfigView } from '#contract/kernel/protocol.ts'
import { NODE_REFUSED } from '#contract/kernel/states.ts'

/* Networks that a node refused of a document that it runs: they keep what they ran, and the others go on. */

export interface RefusedNetwork {
  readonly number: string
  readonly reason: string
}

/** Configuration of a node as one of its networks has it. */
export function configIn(number: string, config: ConfigView, refused: readonly RefusedNetwork[]): ConfigView {
  const own = refused.find((one) => one.number === number)
  return own ? { ...config, state: 'failed', reason: `${NODE_REFUSED}：${own.reason}` } : config
}

/** True for a configuration that the node refused in this network; not for one that failed as a whole. */
export const isRefused = ({ state, reason }: Pick<ConfigView, 'state' | 'reason'>): boolean =>
  state === 'failed' && reason.startsWith(NODE_REFUSED)
