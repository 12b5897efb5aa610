import type { NetworkHealth } from '#contract/kernel/health.ts'
import { isSameJson } from '#contract/kernel/compare.ts'
import { type Consequences, toConsequences } from '#domain/health/absence.ts'
import { type Alert, type AlertFacts, type Draft, type ServedNetwork, isOfMany, keyOf } from './state.ts'

/* Loss behind an alert about absent members: its centres, interrupted networks, and networks without redundancy. */

export type Healths = ReadonlyMap<string, Pick<NetworkHealth, 'state' | 'single_center'>>

export const healthsOf = ({ networks }: AlertFacts): Healths =>
  new Map([...networks].flatMap(([number, { health }]) => (health ? [[number, health]] : [])))

/** Networks in which these members are centres. */
export function listServed(names: readonly string[], { routers, networks }: AlertFacts): readonly ServedNetwork[] {
  const own = names.flatMap((name) => routers.get(name)?.networks ?? [])
  const numbers = new Set(own.flatMap(({ number, isCenter }) => (isCenter ? [number] : [])))
  return [...numbers].flatMap((number) => {
    const network = networks.get(number)
    return network ? [{ number, name: network.name, centers: network.centers }] : []
  })
}

export const joinServed = (a: readonly ServedNetwork[], b: readonly ServedNetwork[]): readonly ServedNetwork[] => [
  ...new Map([...a, ...b].map((network) => [network.number, network])).values(),
]

interface Lost {
  readonly object: string
  readonly label: string
  readonly startedAt: number
}

/** The alert with centres and consequences by the newest health, as the row of its cause on the overview says them. */
export function withLoss(alert: Alert, draft: Draft, healths: Healths): Alert {
  const { serves } = alert
  if (!serves || alert.rule !== 'router_offline') return alert
  const own: readonly Lost[] = [...(isOfMany(alert.object) ? [] : [alert]), ...draft.childrenOf(alert.id)]
  const lost = new Map(own.map((one) => [one.object, one]))
  const served = serves.filter(({ centers }) => centers.some((name) => lost.has(name)))
  const outages = served.filter((network) => isInterrupted(network, alert, draft, healths))
  const halved = served.flatMap((network) => {
    const members = healths.get(network.number)?.single_center ?? 0
    return outages.includes(network) || members === 0 ? [] : [{ name: network.name, members }]
  })
  const inOutages = new Set(outages.flatMap(({ centers }) => centers))
  const centers = own
    .filter(({ object }) => object === alert.object || inOutages.has(object))
    .toSorted((a, b) => a.startedAt - b.startedAt || (a.label < b.label ? -1 : 1))
    .map(({ label }) => label)
  const { consequences: _, centers: __, ...rest } = alert
  const found: { consequences?: Consequences; centers?: readonly string[] } = {
    ...(outages.length + halved.length > 0 && { consequences: toConsequences(outages, halved) }),
    ...(centers.length > 1 && { centers }),
  }
  const isSame = isSameJson([alert.consequences, alert.centers], [found.consequences, found.centers])
  return isSame ? alert : { ...rest, ...found }
}

/** A suspected centre is present still: its network is lost when all of its centres are. */
function isInterrupted({ number, centers }: ServedNetwork, alert: Alert, draft: Draft, healths: Healths): boolean {
  const state = healths.get(number)?.state
  if (state !== undefined && alert.isSuspected !== true) return state === 'down'
  const isAway = (name: string) => {
    const key = keyOf({ rule: alert.rule, object: name })
    return [draft.own(key), draft.child(key), draft.pendingOf(key)].some((one) => one !== undefined)
  }
  return state === 'down' || centers.every((name) => name === alert.object || isAway(name))
}

/** True if the alert interrupts a network that it did not interrupt before. */
export const hasGrown = (before: Alert, after: Alert): boolean =>
  (after.consequences?.outages ?? []).some((name) => !before.consequences?.outages.includes(name))
