import type { Violation } from '#contract/kernel/result.ts'
import type { Ended } from './affected.ts'
import { type NamedMember, toMembershipDiffs } from '../history/history.ts'
import {
  type ChangeConsequence,
  type ChangedMember,
  type LinkedSettings,
  consequenceOf,
  findLinkEnds,
} from './change.ts'
import { type SettingRow, readNetworkSettings } from '../history/stored-settings.ts'

/** Settings and point links of the networks that some routers are in. */
export interface StoredSettings {
  readonly settings: readonly (SettingRow & { readonly networkId: number })[]
  readonly pointLinks: readonly { readonly networkId: number; readonly serverId: number; readonly clientId: number }[]
}

interface RouterInNetworks {
  readonly id: number
  readonly name: string
  readonly note: string
  readonly networks: readonly { readonly id: number; readonly name: string; readonly memberType: 'center' | 'point' }[]
}

const findSettings = ({ settings }: StoredSettings, networkId: number): LinkedSettings =>
  readNetworkSettings(settings.filter((row) => row.networkId === networkId)).values

/** The same event for some routers in one network. */
const toChanged = (
  routers: readonly RouterInNetworks[],
  networkId: number,
  event: 'deleted' | 'disabled',
): readonly ChangedMember[] =>
  routers.flatMap(({ id, name, note, networks }) =>
    networks
      .filter((network) => network.id === networkId)
      .map(({ memberType }) => ({ routerId: id, label: note || name, event, isCenter: memberType === 'center' })),
  )

/** Refuses a router that a setting in use needs, in any of its networks. */
export function checkUse(
  router: RouterInNetworks,
  stored: StoredSettings,
  event: 'deleted' | 'disabled',
): Violation | null {
  for (const network of router.networks) {
    const changed = toChanged([router], network.id, event)
    const { refused } = consequenceOf(network, findSettings(stored, network.id), changed, false)
    if (refused) return refused
  }
  return null
}

export interface NetworkConsequence extends Pick<ChangeConsequence, 'set'> {
  readonly networkId: number
  readonly ended: Ended
}

/** Effects of a permitted deletion or disabling on each network of the routers. */
export function consequencesOf(
  routers: readonly RouterInNetworks[],
  stored: StoredSettings,
  event: 'deleted' | 'disabled',
): readonly NetworkConsequence[] {
  const networks = new Map(
    routers.flatMap((router) => router.networks.map((network) => [network.id, network] as const)),
  )
  return [...networks.values()].map((network) => {
    const changed = toChanged(routers, network.id, event)
    const { set, ended } = consequenceOf(network, findSettings(stored, network.id), changed, true)
    const links = stored.pointLinks.filter(({ networkId }) => networkId === network.id)
    return { networkId: network.id, set, ended: { ...ended, linkEnds: findLinkEnds(changed, links) } }
  })
}

interface Peer extends NamedMember {
  readonly networkId: number
}

/** History entries of these networks. `gone`: ids of members that leave with the event. */
export const toVersions = (
  networks: readonly { readonly id: number; readonly number: string }[],
  consequences: readonly NetworkConsequence[],
  peers: readonly Peer[],
  stored: StoredSettings,
  gone: ReadonlySet<number>,
) =>
  networks.map(({ id, number }) => {
    const before = peers.filter(({ networkId }) => networkId === id)
    const after = before.filter(({ routerId }) => !gone.has(routerId))
    const set = consequences.find(({ networkId }) => networkId === id)?.set ?? {}
    return { number, changes: toMembershipDiffs(before, after, findSettings(stored, id), set) }
  })

/** Rows of network_settings that it writes. */
export const toSettingRows = (consequences: readonly NetworkConsequence[]) =>
  consequences.flatMap(({ networkId, set }) =>
    Object.entries(set).map(([setting, value]) => ({ networkId, setting, value })),
  )
