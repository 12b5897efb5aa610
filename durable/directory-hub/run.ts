import type { DirectoryCounts } from '../../worker/contract/directory-hub.ts'
import { LDAP } from '../../worker/contract/ldap-limits.ts'
import type { DirectoryEntry } from '../../worker/domain/ldap/directory-entry.ts'
import type { DirectoryValues } from '../../worker/domain/ldap/form.ts'
import type { Plan } from '../../worker/domain/ldap/plan.ts'
import { type Run, type RunEvent, createRun, step } from '../../worker/domain/ldap/run.ts'
import { DirectoryError } from '../../worker/outside/directory/failure.ts'
import { type Connect, toQuery } from './connect.ts'

export const countsOf = (plan: Plan): DirectoryCounts => ({
  added: plan.added.length,
  changed: plan.changed.length,
  disabled: plan.disabled.length,
  enabled: plan.enabled.length,
  conflicts: plan.conflicts.length,
  removable: plan.removable.length,
})

/** A run that works, and how far it is: kept in memory, because each stored step would be a written row. */
export class DirectoryRun {
  run: Run
  private readonly connect: Connect

  constructor(connect: Connect, run: Run = createRun('', 'list', Date.now())) {
    this.connect = connect
    this.run = run
  }

  move(event: RunEvent): void {
    this.run = step(this.run, event, Date.now())
  }

  /** All users, or an error. One that stands still is cut off. */
  async readUsers(values: DirectoryValues, password: string) {
    const watch = new Watchdog(LDAP.stalledMs)
    const connection = await watch.race(this.connect(values, password))
    const users: DirectoryEntry[] = []
    try {
      const listing = connection.listUsers(toQuery(values), (page) => {
        users.push(...page)
        this.move({ type: 'listed', users: page.length })
        watch.restart()
      })
      await watch.race(listing)
      return { server: connection.server, users }
    } finally {
      watch.stop()
      connection.close()
    }
  }
}

/** Fails what makes no progress for so long. */
class Watchdog {
  private timer: ReturnType<typeof setTimeout> | undefined
  private fail: (error: DirectoryError) => void = () => {}
  private readonly failed = new Promise<never>((_, reject) => {
    this.fail = reject
  })
  private readonly ms: number

  constructor(ms: number) {
    this.ms = ms
    this.failed.catch(() => {}) // nobody may be waiting by then
  }

  restart(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.fail(new DirectoryError('timeout')), this.ms)
  }

  async race<T>(work: Promise<T>): Promise<T> {
    this.restart()
    try {
      return await Promise.race([work, this.failed])
    } finally {
      this.stop()
    }
  }

  stop(): void {
    clearTimeout(this.timer)
  }
}
