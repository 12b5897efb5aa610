/**
 * A hub has one alarm, for whatever falls due first. It is only ever moved forward, because setting it is a written row;
 * a hub that wakes with nothing to do sets it anew.
 */
export async function wakeAt(storage: DurableObjectStorage, times: readonly (number | null)[]): Promise<void> {
  const due = times.filter((time) => time !== null)
  if (due.length === 0) return
  const at = Math.max(Math.min(...due), Date.now())
  const set = await storage.getAlarm()
  if (set === null || at < set) await storage.setAlarm(at)
}
