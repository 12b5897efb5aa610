import * as z from 'zod'
import type { NoExtra, Shape } from './endpoint.ts'
import { numeric, page, wireBoolean } from './fields.ts'
import { PAGE_SIZE, PAGE_SIZES } from './limits.ts'
import { timeRange } from './time-range.ts'

/* Endpoints that answer one page of a list: input, output, sort keys. */

/** Largest count of a long list; counting stops there. */
export const COUNT_MAX = 10_000
/** 1: there are more rows than `count`, which stops there. */
export const capped = wireBoolean

/** Rows per page (account 9, directory 7). */
const limit = numeric(z.number().pipe(z.literal(PAGE_SIZES)))
  .prefault(PAGE_SIZE)
  .meta({ enum: [...PAGE_SIZES] })

interface List<R extends z.ZodType, F extends Shape, C extends Shape> {
  readonly row: R
  /** Parameters besides page and limit: `search`, `sortBy(…)`, dates. */
  readonly filters?: F
  /** Numbers of the reply next to `data`, besides `count`. */
  readonly counts?: C
}

/** Input, output and extra of such an endpoint. `count` is the number of rows on all pages. */
export function list<R extends z.ZodType, F extends Shape = NoExtra, C extends Shape = NoExtra>({
  row,
  filters,
  counts,
}: List<R, F, C>) {
  return {
    input: z.object({ page, limit, ...(filters as F) }),
    output: z.array(row),
    extra: { count: z.int(), ...(counts as NoInfer<C>) }, // NoInfer: C comes from `counts`, not from the endpoint around it
  }
}

/** List with a range of time: `start_time` and `end_time` among its parameters. */
export function rangedList<R extends z.ZodType, F extends Shape = NoExtra, C extends Shape = NoExtra>(
  parts: List<R, F, C>,
) {
  const all = list(parts)
  return { ...all, input: timeRange(all.input.shape), example: {} }
}

/** `sort` and `order` of a list, the first column by default. */
export function sortBy<const C extends readonly [string, ...string[]]>(columns: C) {
  return {
    sort: z.enum(columns).default(columns[0] as C[number]),
    order: z.enum(['asc', 'desc']).default('desc'),
  }
}
