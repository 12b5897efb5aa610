import { AsyncLocalStorage } from 'node:async_hooks'
import { addressBlock } from '#domain/login/address-block.ts'

/* Log lines of hubs: faults with the id of their request, refused devices, and tasks that fail until they succeed. */

/** Id of the request whose upgrade or RPC is being handled, or of the cron run that delivers to hubs. */
const requestIds = new AsyncLocalStorage<string | undefined>()

/** Gives `run` a request id: its log lines, also after it has returned, and its calls to other hubs carry it. */
export const withRequestId = <T>(requestId: string | null | undefined, run: () => T): T =>
  requestIds.run(requestId ?? undefined, run)

export const currentRequestId = (): string | undefined => requestIds.getStore()

/** True for the first failure in a row and each doubling: a row that the database always refuses is retried without end. */
export const isLoggedFailure = (failures: number): boolean => Number.isInteger(Math.log2(failures))

type Fields = Readonly<Record<string, unknown>>

/** One JSON line for a fault that a hub recovers from by itself; never a frame, a document or a key. */
export const logFault = (hub: string | undefined, event: string, error: unknown, fields: Fields = {}): void =>
  write('warn', event, { hub, requestId: currentRequestId(), ...fields, error: textOf(error) })

/** Logs a device that is refused though its token is right, by its close code; the Worker logs those with a wrong token. */
export const logRefusedDevice = (hub: string, close: { code: number; reason: string }, remoteHost: string): void =>
  write('warn', 'refused', { hub, requestId: currentRequestId(), ...close, address: addressBlock(remoteHost) })

/** Logs that the operator's hold has switched itself on, with the hub whose missing row was one too many. */
export const logHold = (hub: string): void => write('error', 'hub_hold', { by: hub, requestId: currentRequestId() })

/** Innermost cause of an error: the query builder's own message quotes the statement and its values. */
export const rootCause = (error: unknown): unknown =>
  error instanceof Error && error.cause ? rootCause(error.cause) : error

function write(level: 'info' | 'warn' | 'error', event: string, fields: Fields): void {
  // eslint-disable-next-line no-console -- hubs have no other log
  console[level](JSON.stringify({ level, event, ...fields }))
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

interface Failure {
  readonly error: string
  readonly since: number
}

const FAILURE_KEY = 'failure'

/**
 * Logs a task that is repeated until it succeeds: the first failure, each one of another kind, and the recovery. The
 * failure is stored, because a hub is evicted between retries.
 */
export class FailureLog {
  private readonly ctx: Pick<DurableObjectState, 'storage' | 'id'>
  private readonly event: string

  constructor(ctx: Pick<DurableObjectState, 'storage' | 'id'>, event: string) {
    this.ctx = ctx
    this.event = event
  }

  async watch(task: () => Promise<void>): Promise<void> {
    try {
      await task()
    } catch (error) {
      this.onFailure(error)
      throw error
    }
    this.onSuccess()
  }

  private onFailure(error: unknown): void {
    const { kv } = this.ctx.storage
    const known = kv.get<Failure>(FAILURE_KEY)
    const kind = textOf(error).replace(/reference = \S+/, '') // the platform's internal errors carry a number each
    if (known?.error === kind) return
    kv.put(FAILURE_KEY, { error: kind, since: known?.since ?? Date.now() } satisfies Failure)
    logFault(this.ctx.id.name, this.event, error)
  }

  private onSuccess(): void {
    const { kv } = this.ctx.storage
    const known = kv.get<Failure>(FAILURE_KEY)
    if (!known) return
    kv.delete(FAILURE_KEY)
    const fields = { hub: this.ctx.id.name, requestId: currentRequestId(), since: known.since }
    write('info', `${this.event}_recovered`, fields)
  }
}
