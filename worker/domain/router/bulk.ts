import { toMessage } from '#contract/kernel/errors.ts'
import type { Violation } from '#contract/kernel/result.ts'

/** Answer of a bulk call: names in the order of the request, with the reason of each refusal. */
export function toBulkResult(names: readonly string[], problems: ReadonlyMap<string, Violation>) {
  const result = names.map((router_name) => {
    const problem = problems.get(router_name)
    return { router_name, ok: problem ? (0 as const) : (1 as const), msg: problem ? toMessage(problem) : '' }
  })
  return { done: result.filter(({ ok }) => ok === 1).length, result }
}

/** Refusal of a call that did nothing; null if anything was done. */
export const findTotalRefusal = (
  names: readonly string[],
  problems: ReadonlyMap<string, Violation>,
): Violation | null => (problems.size < names.length ? null : (problems.values().next().value ?? null))
