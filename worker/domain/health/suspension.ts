import type { NetworkHealth } from '#contract/kernel/health.ts'
import { DAY_MS, dateText } from '#contract/kernel/time.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { isSuspended, isWithdrawn } from '#domain/network/members/membership.ts'

/* Health of a network that is over quota: 已停用 (suspended), before all that its links say. */

/** Contract of a network, as its row says. */
export interface NetworkContract {
  readonly isSuspended: boolean
  /** Null in a row of an earlier release. */
  readonly suspendedAt: number | null
  /** Its configuration was removed from the devices. */
  readonly isWithdrawn: boolean
}

/** Contract of a network by its row. */
export const contractOf = (network: {
  readonly status: number
  readonly suspendedAt: number | null
  readonly withdrawn: 0 | 1
}): NetworkContract => ({
  isSuspended: isSuspended(network),
  suspendedAt: network.suspendedAt,
  isWithdrawn: isWithdrawn(network),
})

type Verdict = Pick<NetworkHealth, 'state' | 'issues' | 'cause' | 'since'>

/** Date on which the devices lose the configuration: 12-13 起移除设备配置. */
export function withdrawalText({ suspendedAt, isWithdrawn }: Omit<NetworkContract, 'isSuspended'>): string {
  if (isWithdrawn) return '设备配置已移除'
  if (suspendedAt === null) return `停用满 ${NETWORK.suspensionDays} 天移除设备配置`
  return `${dateText(suspendedAt + NETWORK.suspensionDays * DAY_MS).slice(5)} 起移除设备配置`
}

/** Verdict on a suspended network, with the trouble of its links behind the date; null for one in use. */
export function suspensionVerdict(contract: NetworkContract, health: Verdict | null): Verdict | null {
  if (!contract.isSuspended) return null
  const trouble = health === null || contract.isWithdrawn || health.cause === '' ? '' : `；${health.cause}`
  return {
    state: 'suspended',
    issues: Math.max(1, health?.issues ?? 0),
    cause: `${withdrawalText(contract)}${trouble}`,
    since: contract.suspendedAt,
  }
}

/** The one health that every page shows, from that of the hub and the contract in the row. */
export const withSuspension = (health: NetworkHealth, contract: NetworkContract): NetworkHealth => ({
  ...health,
  ...suspensionVerdict(contract, health),
})
