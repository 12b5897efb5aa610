import { toMessage } from '#contract/kernel/errors.ts'
import type { Violation } from '#contract/kernel/result.ts'

/** What a bulk call answers: each name in its order, with the reason where it was not done. */
export function toBulkResult(names: readonly string[], problems: ReadonlyMap<string, Violation>) {
  const result = names.map((router_name) => {
    const problem = problems.get(router_name)
    return { router_name, ok: problem ? (0 as const) : (1 as const), msg: problem ? toMessage(problem) : '' }
  })
  return { done: result.filter(({ ok }) => ok === 1).length, result }
}

/** Why nothing was done; null where something was. */
export const findTotalRefusal = (
  names: readonly string[],
  problems: ReadonlyMap<string, Violation>,
): Violation | null => (problems.size < names.length ? null : (problems.values().next().value ?? null))
