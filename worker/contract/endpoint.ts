import type { z } from 'zod'
import type { Access } from './permissions.ts'

/** One call of the API. `path` is relative to the mount (`/api/v1`, `/ops/v1` or `/device/v1`). */
export interface Endpoint<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly access: Access
  /** One line for the OpenAPI document. */
  readonly summary: string
  readonly input: I
  readonly output: O
}

export function endpoint<I extends z.ZodType, O extends z.ZodType>(spec: Endpoint<I, O>): Endpoint<I, O> {
  return spec
}

/** What a caller sends, before defaults and coercion. */
export type Input<E> = E extends Endpoint<infer I> ? z.input<I> : never
/** What a use case receives. */
export type Parsed<E> = E extends Endpoint<infer I> ? z.output<I> : never
/** What a caller gets in `data`. */
export type Output<E> = E extends Endpoint<z.ZodType, infer O> ? z.output<O> : never
