import { NO_QUOTA } from '#domain/network/members/membership.ts'
import { toMessage } from '#contract/kernel/errors.ts'
import { LDAP } from '#contract/ldap/limits.ts'
import { type Violation, violation } from '#contract/kernel/result.ts'
import { type Statements, batch } from '#db/batch.ts'
import { idList } from '#db/columns.ts'
import { detectConflict, retryOnConflict } from '#db/conflict.ts'
import { mapUniqueViolation } from '#db/guard.ts'
import { notifyHubs, refreshTasks } from '#db/hub-outbox.ts'
import { insertImported } from '#features/ldap/sql/members.ts'
import { refreshCarriers } from '#features/network-fr/sql/nodes.ts'
import { guardSign, guardSoftwareQuota, selectMemberQuota } from '#db/quota.ts'
import type { Addition } from '#domain/ldap/plan.ts'
import { planPoints, readPlaces } from '#domain/network/members/join.ts'
import { newHubName, placeOf } from '#security/hub-name.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { type Outside, countOutside, outsideText } from '#domain/ldap/run.ts'
import { joinNetwork, selectCenters, selectJoinedNetwork } from '#features/network/sql/members.ts'
import type { Owner } from '../database.ts'
import { CHANGED, type WriteContext, auditCount, scopeOf, withSign } from './member-work.ts'

/* Adds directory users as members, as many as the quota takes, and joins them to the associated network. */

/** Keys of the added members, and those that stay outside the network. */
export interface Added {
  readonly uids: readonly string[]
  readonly outside: Outside | null
}

/** Members that the network does not take stay outside it. `more` is written in the same batch. */
export async function addMembers(
  w: WriteContext,
  additions: readonly Addition[],
  { networkNumber: network, max }: Pick<Owner, 'networkNumber' | 'max'>,
  more: (added: Added) => Statements,
): Promise<void> {
  const members = additions.map(({ uuid, name, note, phone }) => ({
    uuid,
    name: withSign(w, name),
    note,
    phone,
    hub: newHubName(placeOf(w.accountHub)),
  }))
  await retryOnConflict(async () => {
    const { statements, outside } = network === null ? NO_NETWORK : await planJoin(w, network, members)
    const write = batch(w.db, {
      sign: guardSign(w.db, w.accountId, w.sign),
      ...insertImported(w.db, w.accountId, members, w.now),
      quota: guardSoftwareQuota(w.db, w.accountId, max, w.now),
      ...statements,
      audit: auditCount(
        w,
        'import',
        members.length,
        [`从目录导入成员${members.length}个`, ...outsideText(countOutside([outside]))].join('，'),
        {
          members: toNames(members),
          ...(outside && { outside: toNames(members.slice(-outside.uuids.length)), reason: outside.reason }),
        },
      ),
      ...more({ uids: members.map(({ hub }) => hub), outside }),
    })
    await detectConflict(mapUniqueViolation(write, CHANGED))
  })
}

const NO_NETWORK = { statements: {}, outside: null }
const toNames = (members: readonly { readonly name: string }[]) =>
  members.slice(0, LDAP.namesKept).map(({ name }) => name)

/** Statements that join as many members as the network takes, and the members that stay outside it. */
async function planJoin(
  w: WriteContext,
  number: string,
  members: readonly { readonly uuid: string; readonly name: string }[],
): Promise<{ readonly statements: Statements; readonly outside: Outside | null }> {
  const { db, accountId, now } = w
  const {
    network: [network],
    centers,
    quota: [quota = NO_QUOTA],
  } = await batch(db, {
    network: selectJoinedNetwork(db, scopeOf(w), number),
    centers: selectCenters(db, scopeOf(w), number),
    quota: selectMemberQuota(db, accountId, now),
  })
  if (!network) return { statements: {}, outside: toOutside(members, violation('NETWORK_NOT_FOUND')) }
  const candidates = members.map(({ name }) => ({ name, type: ROUTER_TYPE.software }))
  const { points, refused } = planPoints(network, readPlaces(network, centers), quota, candidates)
  const outside = refused && toOutside(members.slice(points.length), refused)
  if (points.length === 0) return { statements: {}, outside }
  const statements = {
    ...joinNetwork(db, network, points, quota.members, now),
    carriers: refreshCarriers(w, idList([network.id])),
    hubs: notifyHubs(w, [...refreshTasks('network', [network.hub]), ...refreshTasks('router', centers)]),
  }
  return { statements, outside }
}

const toOutside = (members: readonly { readonly uuid: string }[], refused: Violation): Outside => ({
  uuids: members.map(({ uuid }) => uuid),
  reason: toMessage(refused),
})
