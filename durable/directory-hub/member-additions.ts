import { LDAP } from '../../worker/contract/ldap-limits.ts'
import { ROUTER_TYPE } from '../../worker/contract/limits.ts'
import { auditRow } from '../../worker/db/audit.ts'
import { type Statements, batch } from '../../worker/db/batch.ts'
import { idList } from '../../worker/db/columns.ts'
import { bumpRevisions, detectConflict, guardRevisions, retryOnConflict } from '../../worker/db/conflict.ts'
import { mapUniqueViolation } from '../../worker/db/guard.ts'
import { notifyHubs, refreshTasks } from '../../worker/db/hub-outbox.ts'
import { insertImported } from '../../worker/db/ldap-members.ts'
import { insertPoints, selectCenters, selectJoinedNetwork } from '../../worker/db/network-join.ts'
import { updateNetworkStatus } from '../../worker/db/network-status.ts'
import { refreshCarriers } from '../../worker/db/pop-nodes.ts'
import { guardMemberQuota, guardSign, guardSoftwareQuota, selectMemberQuota } from '../../worker/db/quota.ts'
import type { Addition } from '../../worker/domain/ldap/plan.ts'
import { freeHost } from '../../worker/domain/network/hosts.ts'
import { checkJoin } from '../../worker/domain/network/membership.ts'
import { readPlaces } from '../../worker/domain/network/places.ts'
import { newHubName, placeOf } from '../../worker/security/hub-name.ts'
import { CHANGED, type Writer, actorOf, scopeOf, withSign } from './member-writes.ts'

export interface AdditionTarget {
  readonly network: string | null
  /** Software members that the account may have. */
  readonly max: number
}

/**
 * Adds members, as many as the quota takes; those that the associated network has seats for join it. `more` is written in
 * the same batch.
 */
export async function addMembers(
  w: Writer,
  additions: readonly Addition[],
  { network, max }: AdditionTarget,
  more: () => Statements,
): Promise<void> {
  const members = additions.map(({ uuid, name, note, phone }) => ({
    uuid,
    name: withSign(w, name),
    note,
    phone,
    hub: newHubName(placeOf(w.accountHub)),
  }))
  await retryOnConflict(async () => {
    const join = network === null ? null : await planJoin(w, network, members)
    const write = batch(w.db, {
      sign: guardSign(w.db, w.accountId, w.sign),
      ...insertImported(w.db, w.accountId, members, w.now),
      quota: guardSoftwareQuota(w.db, w.accountId, max, w.now),
      ...join,
      audit: auditRow(
        w,
        {
          module: 'ldap',
          action: 'import',
          target: String(members.length),
          message: `从目录导入成员${members.length}个`,
          after: { members: members.slice(0, LDAP.namesKept).map(({ name }) => name) },
        },
        actorOf(w),
      ),
      ...more(),
    })
    await detectConflict(mapUniqueViolation(write, CHANGED))
  })
}

/** The statements by which the first of them join, as many as there are seats; none where the network takes nobody. */
async function planJoin(
  w: Writer,
  number: string,
  members: readonly { readonly name: string }[],
): Promise<Statements | null> {
  const { db, accountId, now } = w
  const [[network], centers, [quota]] = await db.batch([
    selectJoinedNetwork(db, scopeOf(w), number),
    selectCenters(db, scopeOf(w), number),
    selectMemberQuota(db, accountId, now),
  ])
  if (!network || !quota) return null
  const { hosts, ranges, preferred } = readPlaces(network, centers)
  const taken = [...hosts]
  const points: { name: string; host: number }[] = []
  for (const { name } of members) {
    if (checkJoin(network, hosts.length, quota, points.length + 1)) break
    const host = freeHost(taken, ROUTER_TYPE.software, ranges, preferred)
    if (host === undefined) break
    taken.push(host)
    points.push({ name, host })
  }
  if (points.length === 0) return null
  return {
    revision: guardRevisions(db, accountId, [network]),
    bumped: bumpRevisions(db, accountId, [network.id]),
    points: insertPoints(db, network, points, now),
    seats: guardMemberQuota(db, accountId, quota.members, now),
    networkStatus: updateNetworkStatus(db, accountId, now),
    carriers: refreshCarriers(w, idList([network.id])),
    hubs: notifyHubs(w, [
      ...refreshTasks('network', [network.hub]),
      ...refreshTasks(
        'router',
        centers.map(({ hub }) => hub),
      ),
    ]),
  }
}
