import type { CentersQuestion } from '#contract/kernel/hubs.ts'
import { CONFIG_PUSH } from '#contract/kernel/hub-limits.ts'
import { type HubProjection, areCentersApplied } from './projection.ts'

/* Questions of points whose documents wait for those of their centres. In memory only: a point goes on by itself. */

interface Waiting {
  readonly question: CentersQuestion
  answer(isApplied: boolean): void
}

export class CenterWaits {
  private readonly projection: () => HubProjection
  private readonly waiting = new Set<Waiting>()

  constructor(projection: () => HubProjection) {
    this.projection = projection
  }

  /** Answers true at once, or with the change of a member that makes it so; false after the longest wait. */
  wait(question: CentersQuestion): Promise<boolean> {
    if (areCentersApplied(this.projection(), question)) return Promise.resolve(true)
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiting.answer(false), CONFIG_PUSH.holdMs)
      const waiting: Waiting = {
        question,
        answer: (isApplied) => {
          clearTimeout(timer)
          this.waiting.delete(waiting)
          resolve(isApplied)
        },
      }
      this.waiting.add(waiting)
    })
  }

  /** To be called after each change of the projection. */
  check(): void {
    for (const waiting of this.waiting) if (areCentersApplied(this.projection(), waiting.question)) waiting.answer(true)
  }
}
