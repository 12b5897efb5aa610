import { AsyncLocalStorage } from 'node:async_hooks'

/** Id of the request whose upgrade is being handled. */
const requestIds = new AsyncLocalStorage<string | undefined>()

/** Faults that `run` leads to, also after it has returned, are logged with this request id. */
export const withRequestId = <T>(requestId: string | null, run: () => T): T =>
  requestIds.run(requestId ?? undefined, run)

/** One JSON line for a fault that a hub recovers from by itself; never a frame, a document or a key. */
export function logFault(
  hub: string | undefined,
  event: string,
  error: unknown,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  const text = error instanceof Error ? error.message : String(error)
  const line = { level: 'warn', event, hub, requestId: requestIds.getStore(), ...fields, error: text }
  // eslint-disable-next-line no-console -- hubs have no other log
  console.warn(JSON.stringify(line))
}
