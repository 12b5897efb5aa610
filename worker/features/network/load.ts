import { refuse } from '../../contract/errors.ts'
import type { RouterType } from '../../contract/limits.ts'
import type { Member, Room } from '../../domain/network/membership.ts'
import { interfacesOf, lansOf } from '../../domain/router/interfaces.ts'
import { type Ctx, accountOf, sessionOf } from '../../http/context.ts'
import { choosable, membersOf, networkByNumber, roomOf } from './queries.ts'

const NO_ROOM: Room = { seats: 0, seatsUsed: 0, centers: 0 }

/** A network as a change of its members needs it: `chosen` are the routers of those names that the caller may choose. */
export async function loadNetwork(ctx: Ctx, number: string, names: readonly string[] = []) {
  const scope = sessionOf(ctx)
  const [[network], members, chosen, [room = NO_ROOM]] = await ctx.db.batch([
    networkByNumber(ctx.db, scope, number),
    membersOf(ctx.db, scope, number),
    choosable(ctx.db, scope, names),
    roomOf(ctx.db, scope.accountId, ctx.now),
  ])
  if (!network) return refuse('NETWORK_NOT_FOUND')
  return { network, members: members.map(toMember), chosen: chosen.map(toCandidate), room }
}

/** The same where there is no network yet. */
export async function loadChosen(ctx: Ctx, names: readonly string[]) {
  const [chosen, [room = NO_ROOM]] = await ctx.db.batch([
    choosable(ctx.db, sessionOf(ctx), names),
    roomOf(ctx.db, accountOf(ctx), ctx.now),
  ])
  return { chosen: chosen.map(toCandidate), room }
}

interface RouterRow {
  readonly routerId: number
  readonly routerName: string
  readonly routerType: number
  readonly note: string
  readonly interfaces: string | null
}

export const toMember = (row: RouterRow & Pick<Member, 'memberType' | 'segmentIndex'>): Member => ({
  ...identityOf(row),
  memberType: row.memberType,
  segmentIndex: row.segmentIndex,
  networkCount: 0,
})

const toCandidate = (row: RouterRow & Pick<Member, 'networkCount'>): Member => ({
  ...identityOf(row),
  memberType: 'point',
  segmentIndex: null,
  networkCount: row.networkCount,
})

const identityOf = ({ routerId, routerName, routerType, note, interfaces }: RouterRow) => ({
  routerId,
  routerName,
  routerType: routerType as RouterType,
  note,
  lans: lansOf(interfacesOf(interfaces)),
})
