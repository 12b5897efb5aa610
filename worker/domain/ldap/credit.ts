/** Flow control of one side of a tunnel, in bytes (worker/contract/kernel/tunnel-frames.ts). */
export class Credit {
  private readonly limits: { readonly windowBytes: number; readonly creditBytes: number }
  private mayStillSend: number
  /** Received and not yet credited. */
  private received = 0
  /** Consumed part of `received`. */
  private consumed = 0

  constructor(limits: { readonly windowBytes: number; readonly creditBytes: number }) {
    this.limits = limits
    this.mayStillSend = limits.windowBytes
  }

  sendable(wanted: number): number {
    return Math.min(wanted, this.mayStillSend)
  }

  sent(bytes: number): void {
    this.mayStillSend -= bytes
  }

  /** Adds a credit from the other side; false if it exceeds the bytes sent. */
  credited(bytes: number): boolean {
    this.mayStillSend += bytes
    return this.mayStillSend <= this.limits.windowBytes
  }

  /** Counts received bytes; false if the other side sent more than its credit. */
  receive(bytes: number): boolean {
    this.received += bytes
    return this.received <= this.limits.windowBytes
  }

  /** Bytes to credit now, 0 while they are too few for a frame. */
  consume(bytes: number): number {
    this.consumed += bytes
    if (this.consumed < this.limits.creditBytes) return 0
    const due = this.consumed
    this.consumed = 0
    this.received -= due
    return due
  }
}
