import { wakeAt } from './alarm.ts'
import { logFault } from './fault-log.ts'
import { SingleFlight } from './single-flight.ts'

const KEY = 'owed'
const RETRY_MS = 30_000

/**
 * Reading rows anew, owed from the moment somebody asks: noted on disk before it is tried, with an alarm set, so that
 * neither a database that is away nor a hub that dies in between makes it forgotten.
 */
export class OwedTask {
  private readonly ctx: DurableObjectState
  private readonly flight: SingleFlight

  constructor(ctx: DurableObjectState, task: () => Promise<void>) {
    this.ctx = ctx
    this.flight = new SingleFlight(task)
  }

  /** Throws where the task does; it stays owed then. */
  async run(): Promise<void> {
    this.ctx.storage.kv.put(KEY, true)
    await wakeAt(this.ctx.storage, [this.dueAt()])
    await this.flight.run()
  }

  /** Strikes the debt; call it together with what the task stores. */
  done(): void {
    this.ctx.storage.kv.delete(KEY)
  }

  async retry(): Promise<void> {
    if (this.dueAt() === null) return
    await this.flight.run().catch((error: unknown) => logFault(this.ctx.id.name, 'read', error))
  }

  dueAt(): number | null {
    return this.ctx.storage.kv.get(KEY) === true ? Date.now() + RETRY_MS : null
  }
}
