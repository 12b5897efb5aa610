import type { NetworkSetting } from '#contract/network/settings.ts'
import type { Statements } from '#db/batch.ts'
import { deleteMemberSettings, deletePortClaims, type NetworkKey, saveNetworkSetting } from '../sql/settings.ts'
import { addLostSettings } from '../sql/versions.ts'
import { deletePointLinks } from '../sql/point-links.ts'
import {
  type ChangeConsequence,
  type ChangedMember,
  droppedSettings,
  losesPointLinks,
} from '#domain/network/members/change.ts'
import type { Ctx } from '#http/context.ts'

/** What goes with these members, for the history. In front of its deletion. */
export const lostSettings = (ctx: Ctx, key: NetworkKey, changed: readonly ChangedMember[]): Statements =>
  Object.fromEntries(
    droppingEvents(changed).map((event) => {
      const ids = changed.filter((member) => member.event === event).map(({ routerId }) => routerId)
      return [`lost_${event}`, addLostSettings(ctx, key, ids, droppedSettings(event))] as const
    }),
  )

const droppingEvents = (changed: readonly ChangedMember[]) =>
  [...new Set(changed.map(({ event }) => event))].filter((event) => droppedSettings(event).length > 0)

/** Deletes what goes with these members of one network, and writes what their change turns off. In front of their rows. */
export function consequenceStatements(
  { db, now }: Ctx,
  key: NetworkKey,
  changed: readonly ChangedMember[],
  { set }: Pick<ChangeConsequence, 'set'>,
): Statements {
  const idsWhere = (test: (member: ChangedMember) => boolean) => changed.filter(test).map(({ routerId }) => routerId)
  const settings = droppingEvents(changed).map((event) => {
    const ids = idsWhere((member) => member.event === event)
    return [`settings_${event}`, deleteMemberSettings(db, key, ids, droppedSettings(event))] as const
  })
  const turnedOff = Object.entries(set).map(
    ([kind, value]) => [`ended_${kind}`, saveNetworkSetting(db, key, kind as NetworkSetting, value, now)] as const,
  )
  return {
    ...Object.fromEntries([...settings, ...turnedOff]),
    portClaims: deletePortClaims(
      db,
      key,
      idsWhere(({ event }) => droppedSettings(event).includes('fixed_port')),
    ),
    pointLinks: deletePointLinks(db, key, idsWhere(losesPointLinks)),
  }
}
