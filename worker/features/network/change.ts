import type { BatchItem } from 'drizzle-orm/batch'
import { type Change, type Member, type Room, changeOf } from '../../domain/network/membership.ts'
import { type Ctx, sessionOf } from '../../http/context.ts'
import { auditRow } from '../audit/queries.ts'
import { tellHubs } from '../../http/hub-notices.ts'
import { changeMembers, idByNumber, markStale } from './queries-membership.ts'

interface Members {
  readonly before: readonly Member[]
  readonly after: readonly Member[]
  readonly room: Room
}

/** Commits a change of members with its guards and its audit row, then tells the hubs. `head` goes first in the batch. */
export async function commitChange(
  ctx: Ctx,
  number: string,
  { before, after, room }: Members,
  head: readonly [BatchItem<'sqlite'>, ...BatchItem<'sqlite'>[]],
  audit: Parameters<typeof auditRow>[1],
): Promise<void> {
  const { db } = ctx
  const change = changeOf(before, after)
  const results = await db.batch([
    ...head,
    ...changeMembers(db, sessionOf(ctx), number, change, after, room, ctx.now),
    auditRow(ctx, audit),
    idByNumber(db, number),
    markStale(db, number, movedBy(change)),
  ])
  const [ids, stale] = results.slice(-2) as [{ id: number }[], [number][]]
  tellHubs(ctx, { networkIds: ids.map(({ id }) => id), routerIds: stale.map(([id]) => id) })
}

/** Whose documents a change moves: its own routers', and those of the other kind, who meet them. */
function movedBy({ added, removed, promoted, demoted }: Change) {
  const came = [...added, ...removed]
  const turned = [...promoted, ...demoted]
  return {
    routerIds: [...came, ...turned].map((m) => m.routerId),
    centers: turned.length > 0 || came.some((m) => m.memberType === 'point'),
    points: turned.length > 0 || came.some((m) => m.memberType === 'center'),
  }
}

/** Members by kind, as audit rows show them. */
export function namesByKind(members: readonly Member[]): { center: string[]; point: string[] } {
  const names = (kind: Member['memberType']) => members.filter((m) => m.memberType === kind).map((m) => m.routerName)
  return { center: names('center'), point: names('point') }
}
