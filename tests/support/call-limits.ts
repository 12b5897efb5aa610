import { CALL_LIMITS } from '#contract/kernel/limits.ts'

/** Rate-limit bindings that count exactly, for one location and one period. */
export function countingLimits() {
  const counts = new Map<string, number>()
  const binding = (limit: number): RateLimit => ({
    limit: async ({ key = '' }) => {
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return { success: count <= limit }
    },
  })
  return { env: toBindings(binding), endPeriod: () => counts.clear() }
}

/** Rate-limit bindings that all give this answer. */
export const answeringLimits = (limit: RateLimit['limit']): Partial<Env> => toBindings(() => ({ limit }))

const toBindings = (binding: (limit: number) => RateLimit): Partial<Env> =>
  Object.fromEntries(
    Object.entries(CALL_LIMITS).map(([call, limit]) => [`LIMIT_${call.toUpperCase()}`, binding(limit)]),
  )
