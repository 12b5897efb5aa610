import type { AlertHistory } from '#contract/local/history.ts'
import type { StateMove } from '#contract/kernel/hubs.ts'
import { noConfig } from '#domain/router/presence.ts'
import { type ServiceTerm, routerConditions, serviceConditions } from './conditions.ts'
import type { Delivery } from './delivery.ts'
import {
  type AlertEvent,
  type AlertFacts,
  type AlertSettings,
  type AlertState,
  type Change,
  type NetworkFact,
  applyChange,
  isNothing,
} from './state.ts'
import { alertsDue, step } from './step.ts'

/* Replays the past of an account through the state machine of its alerts, with the times of the past. */

interface PastMove extends StateMove {
  readonly routerName: string
  /** Numbers of its networks. */
  readonly seenIn: readonly string[]
}

interface Past extends AlertHistory {
  /** Transitions of devices, oldest first. */
  readonly moves: readonly PastMove[]
  /** Services that ended, in order. */
  readonly ended: readonly ServiceTerm[]
  readonly facts: AlertFacts
  readonly settings: AlertSettings
  readonly now: number
}

interface PastStep {
  readonly change: Change
  readonly at: number
  /** Alert that the step has acknowledged. */
  readonly acknowledged?: { readonly alertId: string; readonly by: string }
}

interface PastEvent {
  readonly at: number
  readonly toEvents: (state: AlertState) => readonly AlertEvent[]
}

export function* replayAlerts(before: AlertState, past: Past): Generator<PastStep> {
  let state = before
  const apply = (event: AlertEvent, at: number): Change => {
    const change = step(state, event, at, { ...past.settings, mutes: mutesAt(past, at) })
    state = applyChange(state, change)
    return change
  }
  const events = [
    ...past.moves.map(ofMove(past)),
    ...past.ended.map(ofService(past)),
    ...past.acknowledgements.map(ofPerson),
  ]
  for (const { at, toEvents } of [...events.toSorted((a, b) => a.at - b.at), { at: past.now, toEvents: () => [] }]) {
    for (let due = alertsDue(state); due !== null && due <= at; due = alertsDue(state)) {
      const change = apply({ type: 'tick', facts: factsAt(past, due) }, due)
      if (isNothing(change)) break
      yield { change, at: due }
    }
    for (const event of toEvents(state)) {
      const change = apply(event, at)
      if (isNothing(change)) continue
      const { alertId, by } = event.type === 'acknowledge' ? event : { alertId: '', by: '' }
      yield { change, at, ...(alertId !== '' && { acknowledged: { alertId, by } }) }
    }
  }
}

const ofMove =
  ({ absences }: Past) =>
  (move: PastMove): PastEvent => {
    const { routerName, seenIn, to, at, reason } = move
    const lastContact = absences[routerName]?.findLast(({ from }) => from <= at)?.from ?? at
    const presence = { state: to, since: at, last_seen: lastContact, reason }
    const change = { routerName, seenIn: [...seenIn], presence, config: noConfig }
    const conditions = routerConditions(change, [move], at)
    return { at, toEvents: () => conditions.map((condition) => ({ type: 'condition', ...condition })) }
  }

const ofService =
  ({ ended: known }: Past) =>
  (term: ServiceTerm): PastEvent => ({
    at: term.expireAt,
    toEvents: (state) =>
      serviceConditions(state, { ended: [term], known }, term.expireAt).map((condition) => ({
        type: 'condition',
        ...condition,
      })),
  })

/** The acknowledgement of the alert about a member that is open at that time. */
const ofPerson = ({ router_name: object, by, at }: AlertHistory['acknowledgements'][number]): PastEvent => ({
  at,
  toEvents: ({ alerts }) =>
    [...alerts.values()]
      .filter((alert) => alert.object === object)
      .map(({ id }) => ({ type: 'acknowledge', alertId: id, by })),
})

const mutesAt = ({ mutes }: AlertHistory, at: number): AlertSettings['mutes'] =>
  mutes
    .filter(({ from, until }) => from <= at && at < until)
    .map(({ router_name: target, until }) => ({ kind: 'router', target, until }))

/** Facts with the health that the networks had then: by the absences of their centres. */
function factsAt({ facts, absences }: Past, at: number): AlertFacts {
  const isAway = (name: string) => absences[name]?.some(({ from, to }) => from <= at && at < to) ?? false
  const present = [...facts.routers].flatMap(([name, { networks }]) => (isAway(name) ? [] : networks))
  const countPoints = (of: string) => present.filter(({ number, isCenter }) => number === of && !isCenter).length
  const toFact = (number: string, network: NetworkFact): NetworkFact => {
    const lost = network.centers.filter(isAway).length
    if (lost === 0) return { ...network, health: { state: 'ok', single_center: 0 } }
    return lost === network.centers.length
      ? { ...network, health: { state: 'down', single_center: 0 } }
      : { ...network, health: { state: 'partial', single_center: countPoints(number) } }
  }
  return { ...facts, networks: new Map([...facts.networks].map(([number, fact]) => [number, toFact(number, fact)])) }
}

/** A delivery of the past, which arrived at once. */
export const toArrived = (one: Delivery): Delivery =>
  one.state === 'pending' ? { ...one, state: 'sent', tries: 1, doneAt: one.createdAt + ARRIVES_MS } : one
const ARRIVES_MS = 1_000
