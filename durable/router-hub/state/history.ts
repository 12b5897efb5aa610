import type { Absence, RouterHistory } from '#contract/local/history.ts'
import { PRESENCE } from '#contract/kernel/hub-limits.ts'
import type { AgentFrame } from '#contract/kernel/protocol.ts'
import { closeReason } from '#domain/logs/close-reason.ts'
import { linkEnds } from '#domain/network/members/links.ts'
import { firstSeen } from '#domain/router/endpoints.ts'
import { step } from './machine.ts'
import type { RouterEvent } from './machine-events.ts'
import { presenceDue } from './presence.ts'
import type { RouterState } from './storage.ts'

/* Replays the history of a device through the state machine of its router, with the times of the history. */

/** Time after a hello in which the first probes are answered, and after which missing answers are noticed. */
const LINK_UP_MS = 20_000
const LINK_DOWN_MS = 15_000
const CLOSED = 1006

interface PastEvent {
  readonly at: number
  readonly toEvents: (state: RouterState) => readonly RouterEvent[]
}

/**
 * State of a device that has been here and away as its history says, and whose socket a restart has just interrupted: its
 * agent resumes the connection. The configuration stays as it is.
 */
export function replayHistory(
  before: RouterState,
  history: RouterHistory,
  linkIds: ReadonlySet<string>,
  now: number,
): RouterState {
  const events = [...connectionEvents(before, history), ...linkEvents(before, history, linkIds)]
  let state = before
  for (const { at, toEvents } of events.filter((event) => event.at <= now).toSorted((a, b) => a.at - b.at)) {
    state = runDue(state, at)
    for (const event of toEvents(state)) state = step(state, event, at).state
  }
  const { device, ...rest } = runDue(state, now)
  // nobody can dial the addresses of a history: that of the next connection counts at once
  const known = device && { ...device, capabilities: null, seen: firstSeen('') }
  return { ...rest, device: known, config: before.config }
}

/** Decisions of presence that are due before an event. */
function runDue(before: RouterState, until: number): RouterState {
  let state = before
  for (;;) {
    const due = presenceDue(state.presence)
    if (due === null || due > until) return state
    const next = step(state, { type: 'due' }, due).state
    if (next.presence === state.presence) return state
    state = next
  }
}

function connectionEvents({ router }: RouterState, { since, absences, device }: RouterHistory): readonly PastEvent[] {
  const connect = (at: number, version: string): PastEvent => ({
    at,
    toEvents: () => [toAccepted(router?.routerName ?? '', device), toFrame(toHello(device, version))],
  })
  let { version } = device
  const events = [connect(since, version)]
  for (const absence of absences) {
    version = absence.version ?? version
    events.push(toLoss(absence), connect(absence.to, version))
  }
  return events
}

const toLoss = ({ from, silent }: Absence): PastEvent =>
  silent
    ? { at: from + PRESENCE.leaseMs, toEvents: () => [{ type: 'leaseChecked', lastReceivedAt: from }] }
    : {
        at: from,
        toEvents: ({ presence }) => [{ type: 'closed', epoch: presence.epoch, reason: closeReason(CLOSED) }],
      }

/** Link reports at each moment at which a link changes while the device is connected. */
function linkEvents(
  { router }: RouterState,
  { since, absences, peers }: RouterHistory,
  linkIds: ReadonlySet<string>,
): readonly PastEvent[] {
  const own = [{ from: 0, to: since }, ...absences]
  const outages = [...linkIds].map((id) => {
    const ends = linkEnds(id)
    const peer = ends?.client === router?.routerName ? ends?.server : ends?.client
    const ofPeer = (peers[peer ?? ''] ?? []).map(({ from, to }) => ({ from: from + LINK_DOWN_MS, to: to + LINK_UP_MS }))
    return { id, times: [...own.map(({ from, to }) => ({ from, to: to + LINK_UP_MS })), ...ofPeer] }
  })
  const isWithin = (at: number) => (time: { readonly from: number; readonly to: number }) =>
    time.from <= at && at < time.to
  const changes = new Set(outages.flatMap(({ times }) => times.flatMap(({ from, to }) => [from, to])))
  return [...changes]
    .filter((at) => !own.some(isWithin(at)))
    .map((at) => {
      const links = outages.map(({ id, times }) => ({ id, up: !times.some(isWithin(at)), rtt_ms: null }))
      return { at, toEvents: () => [toFrame({ t: 'links', links })] }
    })
}

function toAccepted(routerName: string, device: RouterHistory['device']): RouterEvent {
  const { remote_host: remoteHost, remote_port: remotePort } = device
  const unknown = { accountId: 0, deviceId: 0, keyFingerprint: '', tokenId: '' }
  const identity = { ...unknown, routerName, serial: routerName, remoteHost, remotePort }
  return { type: 'accepted', identity, isTakeover: false, isResumed: false }
}

const toFrame = (frame: AgentFrame): RouterEvent => ({ type: 'frame', frame, spreadMs: 0 })

/** Port 0: peers learn the endpoint from the agent itself. */
const toHello = ({ mac, interfaces }: RouterHistory['device'], version: string): AgentFrame => ({
  t: 'hello',
  protocol: 1,
  serial: '',
  boot_id: '',
  agent_version: version,
  model: '',
  mac,
  capabilities: [],
  applied: null,
  interfaces,
  probe_port: 0,
})
