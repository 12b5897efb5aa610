import type * as z from 'zod'

/* First issue of a refused input. */

type Parsed = Awaited<ReturnType<z.ZodType['safeParseAsync']>>

/**
 * Parses an input. Its first issue about an absent field gets the sentence of an empty one, so that each field has one
 * sentence: a schema has its own for each.
 */
export async function parseInput(schema: z.ZodType, input: unknown): Promise<Parsed> {
  const result = await schema.safeParseAsync(input)
  const issue = result.error?.issues[0]
  if (issue === undefined || issue.code === 'custom' || issue.path.length === 0) return result
  if (valueAt(input, issue.path) !== undefined) return result
  const empty = 'expected' in issue && issue.expected === 'array' ? [] : ''
  const ofEmpty = await schema.safeParseAsync(withValue(input, issue.path, empty))
  const same = ofEmpty.error?.issues.find(({ path }) => issue.path.every((key, i) => path[i] === key))
  if (same !== undefined) Object.assign(issue, { message: same.message })
  return result
}

type Path = readonly PropertyKey[]

const valueAt = (input: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined), input)

/** Copy of an input with a value at a path. */
function withValue(input: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value
  const copy: object = Array.isArray(input) ? [...input] : { ...(input as object | undefined) }
  Reflect.set(copy, key, withValue(Reflect.get(copy, key), rest, value))
  return copy
}
