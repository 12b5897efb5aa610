import { ROUTER_SAVES } from '#contract/kernel/hub-limits.ts'
import type { HubName, OutboxEntry } from '#contract/kernel/hubs.ts'
import type { RouterSave, SaveAnswer } from '#contract/router/saves.ts'
import { isDatabaseAway } from '#db/driver.ts'
import { hasAllColumns } from '#features/router/sql/saves.ts'
import { SingleFlight, Throttle } from '#durable/async.ts'
import { isLoggedFailure, logFault } from '#durable/fault-log.ts'

/* Gathers the saves of the account's routers and writes them in batches: a line that breaks may cut off thousands at once. */

interface RouterSavesDeps {
  readonly hub: HubName
  write(
    saves: readonly RouterSave[],
  ): Promise<{ readonly saved: ReadonlySet<HubName>; readonly entries: readonly OutboxEntry[] }>
  deliver(entries: readonly OutboxEntry[]): void
  /** Asks this router's hub again once the database answers. */
  leave(hub: HubName): void
  waitUntil(work: Promise<unknown>): void
}

interface WaitingSave {
  readonly save: RouterSave
  /** Several, if the hub has called again. */
  readonly answers: readonly ((answer: SaveAnswer) => void)[]
}

/**
 * Keeps the saves in memory only: the outbox of each router's hub holds its own until the answer. The first one is written at
 * once, those of the next second together, in the order of their calls.
 */
export class RouterSaves {
  private readonly deps: RouterSavesDeps
  private readonly waiting = new Map<HubName, WaitingSave>()
  private readonly flight = new SingleFlight(() => this.run())
  private failures = 0
  private readonly runs = new Throttle(() => this.deps.waitUntil(this.flight.run()), ROUTER_SAVES.everyMs)

  constructor(deps: RouterSavesDeps) {
    this.deps = deps
  }

  save(save: RouterSave): Promise<SaveAnswer> {
    if (!hasAllColumns(save)) return Promise.resolve('alone')
    return new Promise((answer) => {
      const earlier = this.waiting.get(save.hub)?.answers ?? []
      this.waiting.set(save.hub, { save, answers: [...earlier, answer] })
      this.runs.trigger()
    })
  }

  private async run(): Promise<void> {
    const all = [...this.waiting.values()]
    this.waiting.clear()
    let isAway = false
    for (const portion of toPortions(all)) {
      if (isAway) this.leave(portion)
      else isAway = (await this.write(portion)) === 'away'
    }
  }

  /** A fault of one save fails its whole portion, so each of these hubs saves alone. */
  private async write(portion: readonly WaitingSave[]): Promise<'done' | 'away'> {
    try {
      const { saved, entries } = await this.deps.write(portion.map(({ save }) => save))
      this.failures = 0
      this.deps.deliver(entries)
      for (const waiting of portion) answerTo(waiting, saved.has(waiting.save.hub) ? 'saved' : 'missing')
    } catch (error) {
      this.failures += 1
      if (isLoggedFailure(this.failures)) logFault(this.deps.hub, 'outbox', error, { failures: this.failures })
      if (isDatabaseAway(error)) {
        this.leave(portion)
        return 'away'
      }
      for (const waiting of portion) answerTo(waiting, 'alone')
    }
    return 'done'
  }

  private leave(portion: readonly WaitingSave[]): void {
    for (const waiting of portion) {
      this.deps.leave(waiting.save.hub)
      answerTo(waiting, 'left')
    }
  }
}

const answerTo = ({ answers }: WaitingSave, answer: SaveAnswer): void => {
  for (const resolve of answers) resolve(answer)
}

/** Portions of a batch each. A save that is larger than all of them may be has one of its own. */
function toPortions(all: readonly WaitingSave[]): readonly (readonly WaitingSave[])[] {
  const portions: WaitingSave[][] = []
  let chars = 0
  for (const waiting of all) {
    const size = JSON.stringify(waiting.save).length
    const last = portions.at(-1)
    chars += size
    if (last && last.length < ROUTER_SAVES.routers && chars <= ROUTER_SAVES.charsMax) last.push(waiting)
    else {
      portions.push([waiting])
      chars = size
    }
  }
  return portions
}
