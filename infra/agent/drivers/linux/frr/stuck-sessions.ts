/*
 * Sessions that are missing although their tunnel stands. After a failed attempt bgpd waits twice as long as before, up to two
 * minutes (bgp_fsm.c of FRR), and refuses its peer meanwhile.
 */

const STUCK_MS = 10_000
/** Sessions of a centre that starts come by themselves; these few do not disturb them. */
const PEERS_MAX = 16

/** Names missing sessions that have to begin anew, each at most once in ten seconds. */
export class StuckSessions {
  private readonly since = new Map<string, number>()

  /**
   * @param missing peers whose tunnel stands without a session
   * @param now monotonic milliseconds
   */
  take(missing: ReadonlySet<string>, now: number): readonly string[] {
    for (const peer of this.since.keys()) if (!missing.has(peer)) this.since.delete(peer)
    for (const peer of missing) if (!this.since.has(peer)) this.since.set(peer, now)
    const stuck = [...this.since].flatMap(([peer, at]) => (now - at >= STUCK_MS ? [peer] : [])).slice(0, PEERS_MAX)
    for (const peer of stuck) this.since.set(peer, now)
    return stuck
  }
}
