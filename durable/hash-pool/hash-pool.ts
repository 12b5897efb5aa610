import { DurableObject } from 'cloudflare:workers'
import { HASH_POOL } from '#contract/kernel/limits.ts'
import type { HashClient, HashPoolRpc, HashResult, HashTask } from '#contract/kernel/passwords.ts'
import { hashPassword, isPassword } from '#security/password.ts'
import { EMPTY_QUEUE, type HashQueue, type HashRequest, enqueue, finish, nextRequest, start } from './queue.ts'

/* Durable Object that hashes passwords, one at a time with a pause between them. */

interface Work {
  readonly task: HashTask
  resolve(result: HashResult): void
  reject(error: unknown): void
}

/**
 * A hash blocks its thread, which in a local run also serves everything else. The object stores nothing: requests that wait
 * when it restarts fail, and their callers try again.
 */
export class HashPool extends DurableObject<Env> implements HashPoolRpc {
  private queue: HashQueue = EMPTY_QUEUE
  private readonly work = new Map<number, Work>()
  private wakesAt = Infinity

  async run(client: HashClient, task: HashTask): Promise<HashResult | { readonly retryAfter: number }> {
    const offered = enqueue(this.queue, client, performance.now())
    if ('retryAfter' in offered) return offered
    this.queue = offered.queue
    return new Promise((resolve, reject) => {
      this.work.set(offered.request.id, { task, resolve, reject })
      this.startNext()
    })
  }

  private startNext(): void {
    const now = performance.now()
    const next = nextRequest(this.queue, now)
    if (!next) return
    if ('request' in next) void this.runRequest(next.request)
    else if (now + next.waitMs < this.wakesAt) this.wakeIn(next.waitMs, now)
  }

  /** A timer that comes too early or finds a request running does no harm, so none is cleared. */
  private wakeIn(waitMs: number, now: number): void {
    this.wakesAt = now + waitMs
    setTimeout(() => {
      this.wakesAt = Infinity
      this.startNext()
    }, waitMs)
  }

  /** Runs one request. The platform's clock does not move while a hash runs, so it is read after the pause. */
  private async runRequest(request: HashRequest): Promise<void> {
    const startedAt = performance.now()
    this.queue = start(this.queue, request, startedAt)
    const work = this.work.get(request.id)
    this.work.delete(request.id)
    await perform(work?.task ?? {}).then(
      (result) => work?.resolve(result),
      (error: unknown) => work?.reject(error),
    )
    await pause()
    const now = performance.now()
    this.queue = finish(this.queue, Math.max(0, now - startedAt - HASH_POOL.pauseMs), now)
    this.startNext()
  }
}

async function perform({ check, hash }: HashTask): Promise<HashResult> {
  const isRight = check !== undefined && (await isPassword(check.password, check.stored))
  if (hash === undefined || (check !== undefined && isRight !== (hash.ifRight ?? true))) return { isRight, hash: null }
  if (check !== undefined) await pause()
  return { isRight, hash: await hashPassword(hash.password) }
}

const pause = (): Promise<void> => new Promise((done) => setTimeout(done, HASH_POOL.pauseMs))
