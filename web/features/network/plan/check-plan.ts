import { fieldOf, toMessage } from '#contract/kernel/errors.ts'
import { RESULT, type Violation } from '#contract/kernel/result.ts'
import type { Neighbor } from '#domain/network/addresses/member-segments.ts'
import { checkMembers, type Member } from '#domain/network/members/membership.ts'
import { ApiError } from '#lib/call/transport.ts'
import { type PickerState, type Plan, UNKNOWN_MEMBER } from './picker/member-plan.ts'

/* Checks of a plan of members in the browser, by the same rules as on the server. */

/** First broken rule by the data of this page. The server also knows networks hidden from a limited role. */
export function checkPlan(state: PickerState): Violation | null {
  const { base, plan, quota, known, networkNumber, networkType } = state
  const [before, after] = [toMembers(state, base), toMembers(state, plan)]
  return checkMembers(before, after, quota, quota.isSuspended, toNeighbors(known, networkNumber), networkType)
}

export const toApiError = (refused: Violation): ApiError =>
  new ApiError(RESULT.invalid, toMessage(refused), { reason: refused.key, field: fieldOf(refused) ?? '' })

/** Members in the form that the rules take. An earlier centre keeps its segments; a new one has none yet. */
export function toMembers({ base, known, networkNumber }: PickerState, plan: Plan): readonly Member[] {
  const ids = new Map([...new Set([...known.keys(), ...base.center, ...base.point])].map((name, id) => [name, id]))
  return (['center', 'point'] as const).flatMap((memberType) =>
    plan[memberType].map((routerName): Member => {
      const { routerType, note, lan, wan, networks } = known.get(routerName) ?? UNKNOWN_MEMBER
      const here = networks.find(({ network_number }) => network_number === networkNumber)
      const served = memberType === 'center' ? here : undefined
      return {
        routerId: ids.get(routerName) ?? -1,
        routerName,
        routerType,
        note,
        memberType,
        lans: lan,
        wans: wan,
        networkCount: networks.length,
        segmentIndex: served?.segment_index ?? null,
        gateway: served?.gateway ?? undefined,
      }
    }),
  )
}

/** Members of all other networks, whose segments meet those of this network on a shared member. */
export const toNeighbors = (known: PickerState['known'], networkNumber: string): readonly Neighbor[] =>
  [...known.values()].flatMap(({ router_name, note, lan, networks }) =>
    networks
      .filter(({ network_number }) => network_number !== networkNumber)
      .map(({ network_number, network_name, segment_index, gateway }) => ({
        routerName: router_name,
        note,
        networkNumber: network_number,
        networkName: network_name,
        lans: lan,
        segmentIndex: segment_index,
        gateway: gateway ?? undefined,
        isHidden: false,
      })),
  )
