import type { DirectoryCounts, DirectoryValues } from '#contract/ldap/hub.ts'
import { Refusal } from '#contract/kernel/errors.ts'
import { LDAP } from '#contract/ldap/limits.ts'
import { violation } from '#contract/kernel/result.ts'
import type { DirectoryEntry } from '#domain/ldap/directory-entry.ts'
import type { Plan } from '#domain/ldap/plan.ts'
import { type Run, type RunEvent, createRun, step } from '#domain/ldap/run.ts'
import type { DirectoryConnection } from '#outside/ldap/directory-connection.ts'
import { DirectoryError } from '#outside/tls/failure.ts'
import { type Connect, toQuery } from '../connection/connect.ts'

/** Current sync run of a directory: connection, deadline and progress, in memory because a stored step is a billed row. */
export class ActiveRun {
  run: Run
  private readonly connect: Connect
  private connection: DirectoryConnection | null = null
  private isReading = false
  private failure: Error | null = null
  private fail: (error: Error) => void = () => {}
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(connect: Connect, run: Run = createRun('', 'list', Date.now())) {
    this.connect = connect
    this.run = run
  }

  move(event: RunEvent): void {
    this.run = step(this.run, event, Date.now())
    if (this.timer !== undefined) this.watch()
  }

  /** Fails once the run made no progress for 120 s. Work that still goes on ends at its next `requireCurrent`. */
  async watched<T>(work: () => Promise<T>): Promise<T> {
    const stalled = new Promise<never>((_, reject) => (this.fail = reject))
    stalled.catch(() => {}) // nobody may be waiting by then
    this.watch()
    try {
      return await Promise.race([work(), stalled])
    } finally {
      clearTimeout(this.timer)
      this.timer = undefined
    }
  }

  private watch(): void {
    clearTimeout(this.timer)
    const toFailure = () => (this.isReading ? this.toLate() : new Refusal(violation('LDAP_STALLED')))
    this.timer = setTimeout(() => this.end(toFailure()), LDAP.stalledMs)
  }

  /** Error of a directory that cannot be reached or answers too slowly. */
  private toLate(): DirectoryError {
    return new DirectoryError(this.connection ? 'time_limit' : 'timeout')
  }

  end(failure: Error): void {
    this.failure = failure
    this.connection?.close()
    this.fail(failure)
  }

  /** Throws if the run is over and another may work. */
  requireCurrent(): void {
    if (this.failure) throw this.failure
  }

  async readUsers(values: DirectoryValues, password: string) {
    this.isReading = true
    const connection = await this.connect(values, password)
    this.connection = connection
    const users: DirectoryEntry[] = []
    try {
      this.requireCurrent()
      await connection.listUsers(toQuery(values), (page) => {
        users.push(...page)
        this.move({ type: 'listed', users: page.length })
      })
      this.requireCurrent()
      return { server: connection.server, users }
    } finally {
      this.isReading = false
      connection.close()
    }
  }

  async readUsersWithin(ms: number, values: DirectoryValues, password: string) {
    const late = new Promise<never>((_, reject) => (this.fail = reject))
    late.catch(() => {})
    const timer = setTimeout(() => this.end(this.toLate()), ms)
    try {
      return await Promise.race([this.readUsers(values, password), late])
    } finally {
      clearTimeout(timer)
    }
  }
}

export const countsOf = (plan: Plan): DirectoryCounts => ({
  added: plan.added.length,
  changed: plan.changed.length,
  disabled: plan.disabled.length,
  enabled: plan.enabled.length,
  conflicts: plan.conflicts.length,
  removable: plan.removable.length,
})
