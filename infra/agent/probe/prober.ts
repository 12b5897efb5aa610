import { randomBytes } from 'node:crypto'
import { type Socket, createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4, isIPv6 } from 'node:net'
import { z } from 'zod'
import type { LinkReport } from '#contract/kernel/protocol.ts'
import type { SentDocument } from '#contract/device/document.ts'
import { isSameJson } from '#contract/kernel/compare.ts'
import { PROBE } from '#contract/kernel/hub-limits.ts'
import type { Clock } from '../clock.ts'
import { type Log, messageOfError } from '../log.ts'
import type { Store } from '../store.ts'
import { type Lookup, Names, ProbeTargets, type Target, lookupAll, unmapped } from './targets.ts'
import { KIND, type Packet, isGenuine, readPacket, seal, createTag, type Kind, NONCE_BYTES } from './packet.ts'

/* Prober of links: finds out by UDP packets which links are up, and their round trip time. */

const RECORD = 'probe'
const stored = z.object({ port: z.int().min(1).max(65_535) })

/** Opens a prober at the requested port, else at that of the last run, on which peers and firewalls rely, else at any. */
export async function openProber(asked: number, store: Store, clock: Clock, log: Log): Promise<Prober> {
  const kept = stored.safeParse(await store.load(RECORD))
  const wanted = asked || (kept.success ? kept.data.port : 0)
  let prober: Prober
  try {
    prober = await Prober.open(wanted, { clock })
  } catch (error) {
    if (asked) throw error
    log(`probe port ${wanted} is in use: taking another`)
    prober = await Prober.open(0, { clock })
  }
  if (!kept.success || kept.data.port !== prober.port) {
    await store.save(RECORD, { port: prober.port }).catch((error: unknown) => {
      log(`cannot keep the probe port: ${messageOfError(error)}`) // best effort: a full disk must not stop the agent
    })
  }
  return prober
}

export type LinkEnd = SentDocument['networks'][number]['links'][number]

export interface ProberOptions {
  readonly clock: Clock
  /** Looks up the addresses of a name. */
  readonly lookup?: Lookup
  readonly intervalMs?: number
  readonly random?: () => number
}

interface Watched {
  readonly owner: string
  readonly end: LinkEnd
  readonly tag: string
  readonly key: Buffer
  /** Client: targets of its requests. */
  readonly targets: ProbeTargets
  since: number
  state: EndState
  nextAskAt: number
  up: boolean | null
  /** Client: answers to the last requests, the oldest first. */
  answers: readonly boolean[]
  hasAsked: boolean
  /** Client: requests whose outcome is known, since the link was first watched. */
  sums: ProbeSums
}

/** Sums of probes, with the longest round trip since they were taken last. */
export interface ProbeSums {
  readonly asked: number
  readonly lost: number
  readonly rtt_sum_ms: number
  readonly rtt_max_ms: number
}

const NO_PROBES: ProbeSums = { asked: 0, lost: 0, rtt_sum_ms: 0, rtt_max_ms: 0 }

/**
 * One UDP socket serves all links of a process, of whatever router. Two routers that meet in several networks have a link
 * in each, with its own key and verdict.
 */
export class Prober {
  private readonly clock: Clock
  private readonly intervalMs: number
  private readonly receiveTimeoutMs: number
  private readonly random: () => number
  private readonly names: Names
  private readonly socket: Socket
  private readonly isDual: boolean
  private readonly watched = new Map<string, Watched>()
  private readonly byOwner = new Map<string, readonly Watched[]>()
  private readonly listeners = new Map<string, (changed: LinkReport[]) => void>()
  private cancelTick: () => void
  /** Socket of a link; null: none is open. */
  private socketOf: (id: string) => Socket | null = () => this.socket

  private constructor(socket: Socket, isDual: boolean, { clock, intervalMs, random, lookup }: ProberOptions) {
    this.clock = clock
    this.intervalMs = intervalMs ?? PROBE.intervalMs
    this.receiveTimeoutMs = this.intervalMs * PROBE.lostAfter
    this.random = random ?? Math.random
    this.names = new Names(clock, lookup ?? lookupAll)
    this.socket = socket
    this.isDual = isDual
    this.receiveAt(socket)
    this.cancelTick = clock.after(this.intervalMs / 5, () => this.tick())
  }

  /** Port 0 takes any; a port in use is an error. IPv6 with mapped IPv4, or only IPv4 if there is no IPv6. */
  static async open(port: number, options: ProberOptions): Promise<Prober> {
    try {
      return new Prober(await bind('udp6', port), true, options)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw error
      return new Prober(await bind('udp4', port), false, options)
    }
  }

  /** Receives at another IPv4 socket, too, such as that of a network namespace. */
  receiveAt(socket: Socket): void {
    socket.on('message', (datagram, from) => this.onDatagram(datagram, from.address, from.port))
    socket.on('error', () => {}) // an error of one datagram; the verdict shows it
  }

  /** Sends the packets of each link by the socket that `find` names for its id. */
  sendBy(find: (id: string) => Socket | null): void {
    this.socketOf = find
  }

  get port(): number {
    return this.socket.address().port
  }

  close(): void {
    this.cancelTick()
    this.socket.close()
  }

  /** Replaces the owner's links; remaining ones keep their state. */
  watch(owner: string, ends: readonly LinkEnd[], changed: (reports: LinkReport[]) => void): void {
    const now = this.clock.monotonic()
    const before = new Map(this.byOwner.get(owner)?.map((link) => [slotOf(link), link]))
    for (const id of before.keys()) this.watched.delete(id)
    const links = ends.map((end): Watched => {
      const key = Buffer.from(end.key, 'hex')
      const tag = createTag(key)
      const kept = before.get(slot(tag, end.role))
      const fresh = {
        owner,
        tag,
        key,
        since: now,
        state: INITIAL_END,
        nextAskAt: now,
        up: null,
        answers: [],
        hasAsked: false,
        sums: NO_PROBES,
        targets: new ProbeTargets([], this.names),
      }
      const listed = end.endpoints ?? (end.endpoint ? [end.endpoint] : [])
      if (kept && isSameJson(kept.targets.listed, listed)) return { ...kept, end }
      return { ...(kept ?? fresh), targets: new ProbeTargets(listed, this.names), nextAskAt: now, end }
    })
    for (const link of links) this.watched.set(slotOf(link), link)
    if (links.length > 0) {
      this.byOwner.set(owner, links)
      this.listeners.set(owner, changed)
    } else {
      this.byOwner.delete(owner)
      this.listeners.delete(owner)
    }
    this.tick()
  }

  /** Restarts these links; answers the ids of those that were up. */
  async disconnect(owner: string, ids: readonly string[]): Promise<readonly string[]> {
    const up = this.linksOf(owner, ids).flatMap((link) => (link.up === true ? [link.end.id] : []))
    await this.restart(owner, ids)
    return up
  }

  /**
   * Takes these links of the owner down at once, and answers their ids. Each is up again with its next proof, which clients
   * request now.
   */
  async restart(owner: string, ids: readonly string[]): Promise<readonly string[]> {
    const links = this.linksOf(owner, ids)
    const nextAskAt = this.clock.monotonic()
    for (const link of links)
      Object.assign(link, { state: INITIAL_END, since: -Infinity, nextAskAt, up: false, hasAsked: false })
    this.report(links)
    this.tick()
    return links.map(({ end }) => end.id)
  }

  private linksOf(owner: string, ids: readonly string[]): readonly Watched[] {
    const wanted = new Set(ids)
    return (this.byOwner.get(owner) ?? []).filter(({ end }) => wanted.has(end.id))
  }

  /** Reports of all links of the owner that already have a verdict. */
  reports(owner: string): LinkReport[] {
    return (this.byOwner.get(owner) ?? []).flatMap((link) => {
      const { end, up, state, answers } = link
      if (up === null) return []
      const loss = end.carrier === 'tunnel' ? lossOf(answers) : null
      const remote = up ? link.targets.remote : null
      const tunnel = loss !== null && { tunnel: { loss } }
      return [{ id: end.id, up, rtt_ms: up ? state.rttMs : null, ...tunnel, ...(remote !== null && { remote }) }]
    })
  }

  /** Sums of the links that the owner dials, by id; their longest round trips begin anew. */
  takeSums(owner: string): ReadonlyMap<string, ProbeSums> {
    const asked = (this.byOwner.get(owner) ?? []).filter(({ end, sums }) => end.role === 'client' && sums.asked > 0)
    const taken = new Map(asked.map(({ end, sums }) => [end.id, sums]))
    for (const link of asked) link.sums = { ...link.sums, rtt_max_ms: 0 }
    return taken
  }

  private tick(): void {
    this.cancelTick()
    const now = this.clock.monotonic()
    const moved: Watched[] = []
    for (const link of this.watched.values()) {
      if (link.end.role === 'client') this.askAgain(link, now)
      if (this.hasMoved(link, now)) moved.push(link)
    }
    this.report(moved)
    this.cancelTick = this.clock.after(this.intervalMs / 5, () => this.tick())
  }

  /** Asks when it is time; until then a request without an answer goes to the other targets in turn, too. */
  private askAgain(link: Watched, now: number): void {
    if (now >= link.nextAskAt) {
      link.nextAskAt = now + this.intervalMs * (0.9 + 0.2 * this.random())
      if (link.hasAsked) countProbe(link)
      const { state, packet } = ask(link.state, now)
      link.hasAsked = true
      link.state = state
      this.askAt(link, packet, link.targets.first())
    } else if (link.state.due !== null) {
      const packet = { nonce: link.state.due, echo: link.state.peer }
      this.askAt(link, packet, link.targets.next(now, this.intervalMs / 5))
    }
  }

  private askAt(link: Watched, packet: Pick<Packet, 'nonce' | 'echo'>, target: Target | null): void {
    if (target === null) return
    link.targets.sent(target.host, this.clock.monotonic())
    this.send(link, KIND.ask, packet, target.host, target.port)
  }

  private onDatagram(datagram: Buffer, host: string, port: number): void {
    const packet = readPacket(datagram)
    if (!packet) return
    const link = this.watched.get(slot(packet.tag, packet.kind === KIND.ask ? 'server' : 'client'))
    if (!link || !isGenuine(datagram, link.key)) return
    const now = this.clock.monotonic()
    if (packet.kind === KIND.ask) {
      const answer = onAsk(link.state, packet, now)
      link.state = answer.state
      this.send(link, answer.kind, answer.packet, host, port)
    } else {
      const from = { host: unmapped(host), port }
      const askedAt = link.targets.askedAt(from.host) ?? link.state.askedAt
      const { state, again } = onAnswer({ ...link.state, askedAt }, packet, now)
      const isMoved = state.due !== link.state.due && link.targets.answered(from)
      link.state = state
      if (again) this.askAt(link, again, from)
      if (isMoved && link.up === true) return this.report([link])
    }
    if (this.hasMoved(link, now)) this.report([link])
  }

  private hasMoved(link: Watched, now: number): boolean {
    const up = verdict(link.state, link.since, now, this.receiveTimeoutMs)
    const moved = up !== link.up
    if (moved && up) link.answers = [] // requests before a tunnel came up are no loss of it
    link.up = up
    return moved
  }

  private report(moved: readonly Watched[]): void {
    for (const owner of new Set(moved.map((link) => link.owner))) {
      const ids = new Set(moved.filter((link) => link.owner === owner).map((link) => link.end.id))
      const changed = this.reports(owner).filter((report) => ids.has(report.id))
      if (changed.length > 0) this.listeners.get(owner)?.(changed)
    }
  }

  private send(
    link: Watched,
    kind: Packet['kind'],
    packet: Pick<Packet, 'nonce' | 'echo'>,
    host: string,
    port: number,
  ): void {
    const socket = this.socketOf(link.end.id)
    const isDual = socket === this.socket && this.isDual
    const mapped = unmapped(host)
    const target = isDual && isIPv4(mapped) ? `::ffff:${mapped}` : mapped
    if (!(isDual ? isIPv6(target) : isIPv4(target)) || port <= 0) return
    socket?.send(seal({ kind, tag: link.tag, ...packet }, link.key), port, target, () => {}) // the verdict shows errors
  }
}

/** Counts the last request, whose time for an answer is over. */
function countProbe(link: Watched): void {
  const { due, rttMs } = link.state
  link.answers = [...link.answers, due === null].slice(-PROBE.lossOver)
  const { asked, lost, rtt_sum_ms, rtt_max_ms } = link.sums
  const rtt = due === null ? (rttMs ?? 0) : 0
  link.sums = {
    asked: asked + 1,
    lost: lost + (due === null ? 0 : 1),
    rtt_sum_ms: rtt_sum_ms + rtt,
    rtt_max_ms: Math.max(rtt_max_ms, rtt),
  }
}

/** Loss in per mille; null before there are enough requests to tell. */
function lossOf(answers: readonly boolean[]): number | null {
  if (answers.length < PROBE.lossFrom) return null
  return Math.round((answers.filter((isAnswered) => !isAnswered).length / answers.length) * 1000)
}

const slotOf = ({ tag, end }: Watched): string => slot(tag, end.role)

const slot = (tag: string, role: LinkEnd['role']): string => `${role} ${tag}`

async function bind(type: 'udp4' | 'udp6', port: number): Promise<Socket> {
  const socket = createSocket(type)
  socket.bind(port)
  await once(socket, 'listening') // rejects with the socket's error
  return socket
}

const NONE = Buffer.alloc(NONCE_BYTES)

/** State of one end of a probed link: a challenge-response by nonces. Times are of the monotonic clock, in ms. */
interface EndState {
  /** Client: nonce of the pending request. Server: the nonce whose echo is expected. Null: none. */
  readonly due: Buffer | null
  /** Last nonce of the other end. */
  readonly peer: Buffer
  readonly askedAt: number
  readonly aliveAt: number | null
  readonly rttMs: number | null
  /** Immediate repeats since the last regular request; at most EXTRA_MAX after stale answers. */
  readonly extra: number
}

export const INITIAL_END: EndState = { due: null, peer: NONE, askedAt: 0, aliveAt: null, rttMs: null, extra: 0 }
const EXTRA_MAX = 2

type Message = Pick<Packet, 'nonce' | 'echo'>

/** A regular request of the client end. */
export function ask(state: EndState, now: number): { state: EndState; packet: Message } {
  const nonce = randomBytes(NONCE_BYTES)
  return { state: { ...state, due: nonce, askedAt: now, extra: 0 }, packet: { nonce, echo: state.peer } }
}

/**
 * The server end receives a request with a valid MAC. Only the echo of the current nonce proves that it is fresh;
 * a replayed one is answered, but changes no state.
 */
export function onAsk(state: EndState, asked: Message, now: number): { state: EndState; kind: Kind; packet: Message } {
  const isFresh = state.due !== null && asked.echo.equals(state.due)
  const due = isFresh || state.due === null ? randomBytes(NONCE_BYTES) : state.due
  return {
    state: { ...state, due, aliveAt: isFresh ? now : state.aliveAt },
    kind: isFresh ? KIND.accepted : KIND.stale,
    packet: { nonce: due, echo: asked.nonce },
  }
}

/** The client end receives an answer with a valid MAC; `again` is a packet to send at once. */
export function onAnswer(
  state: EndState,
  answer: Message & { kind: Kind },
  now: number,
): { state: EndState; again: Message | null } {
  if (state.due === null || !answer.echo.equals(state.due)) return { state, again: null } // late, or recorded
  const received = { ...state, due: null, peer: answer.nonce, aliveAt: now, rttMs: now - state.askedAt }
  if (answer.kind !== KIND.stale || state.extra >= EXTRA_MAX) return { state: received, again: null }
  const next = ask(received, now)
  return { state: { ...next.state, extra: state.extra + 1 }, again: next.packet }
}

/** Up within `receiveTimeoutMs` of the last proof; down after that; null while it is too early to tell. */
export function verdict({ aliveAt }: EndState, since: number, now: number, receiveTimeoutMs: number): boolean | null {
  if (aliveAt !== null) return now - aliveAt < receiveTimeoutMs
  return now - since < receiveTimeoutMs ? null : false
}
