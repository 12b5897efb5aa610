import { type Statements, batch } from '#db/batch.ts'
import { bumpRevisions, guardRouterNetworks } from '#db/conflict.ts'
import { selectKept } from '#features/ldap/sql/members.ts'
import { saveSettingsOfNetworks, selectSettingsAround } from '#features/network/sql/settings.ts'
import { insertVersions } from '#features/network/sql/versions.ts'
import { selectLinksOfRouters } from '#features/network/sql/point-links.ts'
import { selectNetworksByRouter, selectMembersOfNetworksWith } from '#features/router/sql/routers.ts'
import type { Touched } from '#domain/ldap/plan.ts'
import { affectedByEnd, filterCenters } from '#domain/network/members/affected.ts'
import { consequencesOf, toSettingRows, toVersions } from '#domain/network/members/router-consequences.ts'
import { type WriteContext, actorOf, scopeOf, withSign } from './write-context.ts'

/** Reads networks of these members, with their peers, settings and links. */
export async function readAround(w: WriteContext, members: readonly Touched[]) {
  const { db, accountId } = w
  const names = members.map(({ name }) => withSign(w, name))
  return batch(db, {
    networks: selectNetworksByRouter(db, scopeOf(w), ...names),
    peers: selectMembersOfNetworksWith(db, scopeOf(w), ...names),
    settings: selectSettingsAround(db, accountId, names),
    pointLinks: selectLinksOfRouters(db, accountId, names),
    kept: selectKept(
      db,
      accountId,
      members.map(({ id }) => id),
    ),
  })
}

type Around = Awaited<ReturnType<typeof readAround>>

/** Ends the use of members that go: what ends in their networks, and the documents that name them. */
export function endUse(
  w: WriteContext,
  members: readonly Touched[],
  around: Around,
  event: 'deleted' | 'disabled' | null,
) {
  const { db, accountId, now } = w
  const ids = members.map(({ id }) => id)
  const networks = [...new Map(around.networks.map((network) => [network.id, network])).values()]
  const targets = members.map(({ id, name }) => ({
    id,
    name: withSign(w, name),
    note: '',
    networks: around.networks.filter(({ routerId }) => routerId === id),
  }))
  const consequences = event === null ? [] : consequencesOf(targets, around, event)
  const gone = new Set(event === 'deleted' ? ids : [])
  const staying = around.peers.filter(({ routerId }) => !gone.has(routerId))
  const moved = consequences.flatMap(({ networkId, ended }) =>
    affectedByEnd(
      staying.filter((peer) => peer.networkId === networkId),
      ended,
    ),
  )
  const documents = [...new Set([...filterCenters(staying), ...moved].map(({ hub }) => hub))]
  const settings: Statements = {
    revisions: guardRouterNetworks(db, accountId, ids, networks, around.networks.length),
    bumped: bumpRevisions(
      db,
      accountId,
      networks.map(({ id }) => id),
    ),
    ended: saveSettingsOfNetworks(db, accountId, toSettingRows(consequences), now),
    ...(event !== null &&
      insertVersions(w, accountId, toVersions(networks, consequences, around.peers, around, gone), actorOf(w))),
  }
  return { networks, settings, documents }
}
