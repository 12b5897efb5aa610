/** One JSON line for a fault that a hub recovers from by itself; never a frame, a document or a key. */
export function logFault(hub: string | undefined, event: string, error: unknown): void {
  const text = error instanceof Error ? error.message : String(error)
  // eslint-disable-next-line no-console -- hubs have no other log
  console.warn(JSON.stringify({ level: 'warn', event, hub, error: text }))
}
