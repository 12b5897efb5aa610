/* Ends of sessions whose clients said that they leave: OpenVPN reports such an end some seconds later. */

/** Time after which OpenVPN ends a session whose client has left, and the inaccuracy of its timers. */
const LEAVING_MS = 5_000
const SLACK_MS = 1_500

export class Leaves {
  /** Times of notifications, the oldest first. They name no client. */
  private readonly times: number[] = []

  left(now: number): void {
    this.times.push(now)
  }

  /** Age of the end of a session that is reported now, in ms: that of the notification which is due, or 0. */
  takeAge(now: number): number {
    const ageOf = (time: number | undefined) => now - (time ?? now)
    while (ageOf(this.times[0]) > LEAVING_MS + SLACK_MS) this.times.shift()
    const age = ageOf(this.times[0])
    if (age < LEAVING_MS - SLACK_MS) return 0
    this.times.shift()
    return age
  }
}
