import { withRequestId } from './fault-log.ts'

type Methods = Readonly<Record<string, ((...args: readonly unknown[]) => Promise<unknown>) | undefined>>

/**
 * Calls a hub's method by its name, with the id of the request behind it. Rejects where the hub has no such method, as an
 * older release has none that a newer Worker calls: an outbox row must not count as delivered then.
 */
export function callMethod(
  hub: object,
  requestId: string | undefined,
  method: string,
  args: readonly unknown[],
): Promise<unknown> {
  return withRequestId(requestId, async () => {
    const methods = hub as Methods
    if (typeof methods[method] !== 'function') throw new Error(`this hub has no method ${method}`)
    return methods[method](...args)
  })
}
