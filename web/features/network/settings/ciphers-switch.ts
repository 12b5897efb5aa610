import { hasCome, isOnline } from '#domain/health/member.ts'
import type { Member, NetworkInfo } from '../live-network.ts'

/* Progress of a switch of a network's encryption ciphers. */

/**
 * Switch under way; null if ciphers were never switched, or all devices have confirmed a configuration since. Devices that
 * were never online, or are disabled, have no tunnel and do not count.
 */
export function ciphersSwitch(
  { ncp_ciphers_time: since, withdrawn }: Pick<NetworkInfo, 'ncp_ciphers_time' | 'withdrawn'>,
  members: readonly Member[],
) {
  if (since === null || withdrawn === 1) return null
  const concerned = members.filter(({ config, presence }) => config.state !== 'none' && hasCome(presence.state))
  const pending = concerned.filter(({ config }) => confirmedAt(config) < since)
  if (pending.length === 0) return null
  return { total: concerned.length, pending, offline: pending.filter(({ presence }) => !isOnline(presence)) }
}

const confirmedAt = ({ state, at, confirmed_at: earlier }: Member['config']): number =>
  (state === 'applied' ? at : earlier) ?? -Infinity
