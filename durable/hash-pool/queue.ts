import { HASH_POOL } from '#contract/kernel/limits.ts'
import type { HashClient } from '#contract/kernel/passwords.ts'

/*
 * Queue of password hashes of one pool object. One request runs at a time. Sources (a person, or an address block) take
 * turns by virtual time, as in fair queueing: tags of a source's requests are one apart, and the lowest tag is next.
 */

export interface HashRequest {
  readonly id: number
  readonly client: HashClient
  /** Virtual start time; the lowest is next. */
  readonly tag: number
}

export interface HashQueue {
  readonly nextId: number
  readonly waiting: readonly HashRequest[]
  readonly running: { readonly request: HashRequest; readonly startedAt: number } | null
  /** Earliest start of the next sign-in of a visitor. */
  readonly anonymousAt: number
  /** Earliest start of the next task, by account. */
  readonly accountAt: ReadonlyMap<string, number>
  readonly virtualTime: number
  readonly sourceTag: ReadonlyMap<string, number>
  /** Average duration of a request, in milliseconds. */
  readonly hashMs: number
}

export const EMPTY_QUEUE: HashQueue = {
  nextId: 1,
  waiting: [],
  running: null,
  anonymousAt: 0,
  accountAt: new Map(),
  virtualTime: 0,
  sourceTag: new Map(),
  hashMs: HASH_POOL.expectedMs,
}

/** Puts a request into the queue, or says in how many seconds it would be accepted. */
export function enqueue(
  queue: HashQueue,
  client: HashClient,
  now: number,
): { readonly queue: HashQueue; readonly request: HashRequest } | { readonly retryAfter: number } {
  const tag = Math.max(queue.virtualTime, (queue.sourceTag.get(client.source) ?? -1) + 1)
  const request: HashRequest = { id: queue.nextId, client, tag }
  const longer: HashQueue = {
    ...queue,
    nextId: queue.nextId + 1,
    waiting: [...queue.waiting, request],
    sourceTag: new Map(queue.sourceTag).set(client.source, tag),
  }
  const lateMs = expectedStart(longer, request, now) - now - HASH_POOL.waitMs
  return lateMs > 0 ? { retryAfter: Math.ceil(lateMs / 1000) } : { queue: longer, request }
}

/** The request that may start now, or how long until one may; null if none waits or one runs. */
export function nextRequest(
  queue: HashQueue,
  now: number,
): { readonly request: HashRequest } | { readonly waitMs: number } | null {
  if (queue.running || queue.waiting.length === 0) return null
  const ready = queue.waiting.filter((request) => readyAt(queue, request) <= now)
  const rank = ({ client }: HashRequest) => (client.isBackground ? 1 : 0)
  const [first] = ready.toSorted((a, b) => rank(a) - rank(b) || a.tag - b.tag || a.id - b.id)
  if (first) return { request: first }
  return { waitMs: Math.min(...queue.waiting.map((request) => readyAt(queue, request))) - now }
}

export function start(queue: HashQueue, request: HashRequest, now: number): HashQueue {
  const sources = new Set(queue.waiting.map(({ client }) => client.source))
  return {
    ...queue,
    waiting: queue.waiting.filter(({ id }) => id !== request.id),
    running: { request, startedAt: now },
    virtualTime: Math.max(request.tag, queue.virtualTime + 1 / sources.size),
    accountAt: new Map(queue.accountAt).set(request.client.account, now + HASH_POOL.accountMs),
  }
}

/**
 * Ends the running request, which took `tookMs`, after its pause. The thread is then kept for others for the same time
 * before the next visitor.
 */
export function finish(queue: HashQueue, tookMs: number, now: number): HashQueue {
  const isVisitor = queue.running?.request.client.isAnonymous === true
  const isLater = ([, at]: readonly [string, number]) => at > now
  const isAhead = ([, tag]: readonly [string, number]) => tag + 1 > queue.virtualTime
  return {
    ...queue,
    running: null,
    anonymousAt: isVisitor ? now + tookMs : queue.anonymousAt,
    accountAt: new Map([...queue.accountAt].filter(isLater)),
    sourceTag: queue.waiting.length === 0 ? new Map() : new Map([...queue.sourceTag].filter(isAhead)),
    hashMs: queue.hashMs + (tookMs - queue.hashMs) * HASH_POOL.averaging,
  }
}

function readyAt({ anonymousAt, accountAt }: HashQueue, { client }: HashRequest): number {
  return Math.max(client.isAnonymous ? anonymousAt : 0, accountAt.get(client.account) ?? 0)
}

/** Plays the queue on, as if every request took the average time, until this request starts or is too late. */
function expectedStart(queue: HashQueue, request: HashRequest, from: number): number {
  let played = queue
  let now = from
  for (;;) {
    if (played.running) {
      now = Math.max(from, played.running.startedAt + played.hashMs + HASH_POOL.pauseMs)
      played = finish(played, played.hashMs, now)
    }
    const next = nextRequest(played, now)
    if (!next) return now
    if ('waitMs' in next) {
      now += next.waitMs
      continue
    }
    if (next.request.id === request.id || now > from + 2 * HASH_POOL.waitMs) return now
    played = start(played, next.request, now)
  }
}
