import { ROUTER_SAVES } from '#contract/kernel/hub-limits.ts'
import { type HubName, type Hubs, isMissingMethod } from '#contract/kernel/hubs.ts'
import type { RouterSave, SaveAnswer } from '#contract/router/saves.ts'
import { within } from '#db/concurrency.ts'

/** Saves of a router by its account's hub, together with those of the account's other routers. */
export class SharedSaves {
  private readonly hubs: Hubs
  private unanswered = 0

  constructor(hubs: Hubs) {
    this.hubs = hubs
  }

  /**
   * Rejects if the account's hub does not answer: it may still write this save, so the next try comes after the back-off. After
   * some of them the answer is `alone`.
   */
  async save(accountHub: HubName, save: RouterSave): Promise<SaveAnswer> {
    if (this.unanswered >= ROUTER_SAVES.tries) return 'alone'
    try {
      const answer = await within(ROUTER_SAVES.answerMs, this.hubs.account(accountHub).saveRouter(save))
      this.unanswered = 0
      return answer
    } catch (error) {
      if (isMissingMethod(error)) return 'alone' // an account's hub of the release before
      this.unanswered += 1
      throw error
    }
  }
}
