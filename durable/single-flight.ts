/**
 * Runs a task one at a time. Whoever asks while it runs gets a run that starts afterwards, shared with everybody else
 * who asked meanwhile: so what a caller has written before asking is always seen.
 */
export class SingleFlight {
  private running: Promise<void> | null = null
  private next: Promise<void> | null = null
  private readonly task: () => Promise<void>

  constructor(task: () => Promise<void>) {
    this.task = task
  }

  run(): Promise<void> {
    if (this.next) return this.next
    if (!this.running) return this.start()
    const start = () => this.start()
    this.next = this.running.then(start, start)
    return this.next
  }

  private start(): Promise<void> {
    this.next = null
    const run = this.task().finally(() => {
      if (this.running === run) this.running = null
    })
    this.running = run
    return run
  }
}
