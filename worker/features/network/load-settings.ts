import { refuse } from '../../contract/errors.ts'
import type { HubName } from '../../contract/hubs.ts'
import { ROUTER_TYPE } from '../../contract/limits.ts'
import { selectAccountHub } from '../../db/accounts.ts'
import { batch } from '../../db/batch.ts'
import { selectMemberSettings, selectNetworkSettings } from '../../db/network-settings.ts'
import { toNetworkRows } from '../../domain/network/compile/rows.ts'
import { readMemberSettings, readNetworkSettings } from '../../domain/network/stored-settings.ts'
import { type Ctx, requireSession } from '../../http/context.ts'
import { selectNetwork } from './queries.ts'
import { selectAreas } from './queries-fr.ts'
import { selectDocumentMembers } from './queries-settings.ts'

export type LoadedNetwork = Awaited<ReturnType<typeof loadSettings>>

/** A network in the caller's scope with all that is set for it and its members, in one round trip. */
export async function loadSettings(ctx: Ctx, number: string) {
  const scope = requireSession(ctx)
  const found = await batch(ctx.db, {
    networks: selectNetwork(ctx.db, scope, number),
    members: selectDocumentMembers(ctx.db, scope, number),
    settings: selectNetworkSettings(ctx.db, scope, number),
    memberSettings: selectMemberSettings(ctx.db, scope, number),
    areas: selectAreas(ctx.db, scope, number),
    accounts: selectAccountHub(ctx.db, scope.accountId),
  })
  const network = found.networks[0] ?? refuse('NETWORK_NOT_FOUND')
  const { members, settings, memberSettings } = found
  const hubs = new Map(members.map(({ routerId, hub }) => [routerId, hub]))
  return {
    network,
    accountHub: found.accounts[0]?.hub ?? refuse('SESSION_REVOKED'),
    members,
    /** Of the POP resource that the network uses. */
    areas: found.areas,
    /** What the compiler takes: a disabled software member is in no document. */
    rows: toNetworkRows(
      { ...network, settings, memberSettings },
      members.filter((m) => m.routerType === ROUTER_TYPE.hardware || m.status === 1),
    ),
    stored: readNetworkSettings(settings),
    storedOf: (routerId: number) => readMemberSettings(memberSettings.filter((row) => row.routerId === routerId)),
    hubOf: (routerId: number): HubName => hubs.get(routerId) ?? refuse('ROUTER_NOT_FOUND'),
    requireMember: (name: string) => members.find((m) => m.routerName === name) ?? refuse('ROUTER_NOT_FOUND'),
  }
}
