import { hasCome, isOnline } from '#domain/health/member.ts'
import type { Member, NetworkInfo } from '../live-network.ts'

/* Progress of a switch of a network's encryption ciphers. */

/** Devices that were never online, or are disabled, have no tunnel and do not count. */
interface CiphersSwitch {
  readonly total: number
  /** Members whose device has not confirmed it. */
  readonly pending: readonly Member[]
  /** Members among `pending` that are offline. */
  readonly offline: readonly Member[]
}

/** Switch under way; null if ciphers were never switched, or all devices have confirmed a configuration since. */
export function ciphersSwitch(
  { ncp_ciphers_time: since, withdrawn }: Pick<NetworkInfo, 'ncp_ciphers_time' | 'withdrawn'>,
  members: readonly Member[],
): CiphersSwitch | null {
  if (since === null || withdrawn === 1) return null
  const concerned = members.filter(({ config, presence }) => config.state !== 'none' && hasCome(presence.state))
  const pending = concerned.filter(({ config }) => confirmedAt(config) < since)
  if (pending.length === 0) return null
  return { total: concerned.length, pending, offline: pending.filter(({ presence }) => !isOnline(presence)) }
}

const confirmedAt = ({ state, at, confirmed_at: earlier }: Member['config']): number =>
  (state === 'applied' ? at : earlier) ?? -Infinity
