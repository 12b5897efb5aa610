import { type Violation, violation } from '#contract/kernel/result.ts'
import { SAME_ROUTERS } from '#contract/network/fields.ts'
import type { NetworkSettings } from '#contract/network/settings.ts'
import { findMember } from '../members/find-member.ts'

type Routing = NetworkSettings['routing']

interface Router {
  readonly routerId: number
  readonly routerName: string
  readonly memberType: 'center' | 'point'
}

interface RoutingForm {
  readonly type: 1 | 2
  readonly main_router: string
  readonly secondary_router: string
}

/** Least number of centres that routing is configured for (network 2). */
const CENTERS_MIN = 2

export const canRoute = (members: readonly Pick<Router, 'memberType'>[]): boolean =>
  members.filter((m) => m.memberType === 'center').length >= CENTERS_MIN

/** Routing by the ids of its routers, which are centres of the network. Going back to shared load is always possible. */
export function toRouting(
  form: RoutingForm,
  members: readonly Router[],
  before: Routing,
): { routing: Routing; refused: Violation | null } {
  const shared: Routing = { type: 1, main: null, secondary: null }
  const centers = members.filter((m) => m.memberType === 'center')
  if (form.type === 1 && before.type === 2) return { routing: shared, refused: null }
  if (!canRoute(members)) return { routing: before, refused: violation('ROUTING_NEEDS_TWO') }
  if (form.type === 1) return { routing: shared, refused: null }
  const [main, secondary] = [findMember(centers, form.main_router), findMember(centers, form.secondary_router)]
  if (!main || !secondary) {
    const field = main ? 'secondary_router' : 'main_router'
    return { routing: before, refused: violation('ROUTING_NO_CENTER', {}, field) }
  }
  if (main === secondary)
    return { routing: before, refused: violation('INPUT_INVALID', { reason: SAME_ROUTERS }, 'secondary_router') }
  return { routing: { type: 2, main: main.routerId, secondary: secondary.routerId }, refused: null }
}

/** Choosing one router selects its counterpart (network 4): the present one, or else the first other centre. */
export const findCounterpart = (chosen: string, present: string, centers: readonly string[]): string =>
  present !== chosen && centers.includes(present) ? present : (centers.find((name) => name !== chosen) ?? '')
