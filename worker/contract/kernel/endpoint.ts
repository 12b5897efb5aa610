import type { z } from 'zod'
import { type BatchCounts, type BatchDone, DONE, batchSentence } from './result.ts'
import { BODY_MAX_BYTES, type LimitedCall, UPLOAD } from './limits.ts'
import { empty, nothing } from './fields.ts'
import type { Access } from './permissions.ts'

/* Definition of an endpoint: path, access, input, output, and its types for caller and use case. */

/**
 * Encoding of the input. `form` is urlencoded with bracket names (`a[0][b]=1`, `a[]=1`); files need `multipart`. `stream`
 * has the input in the query and the bytes of one file of known length as body.
 */
export type BodyKind = 'query' | 'json' | 'form' | 'multipart' | 'stream'
export type ReplyKind = 'json' | 'file'
export type Shape = Readonly<Record<string, z.ZodType>>
export type NoExtra = Record<never, never>

/** Endpoint of the API. `path` is relative to the mount (`/api/v1`, `/ops/v1` or `/device/v1`). */
export interface Endpoint<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  X extends Shape = Shape,
  R extends ReplyKind = ReplyKind,
> {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly access: Access
  /** Access that depends on the input: the caller also needs one of these. */
  accessOf?(input: z.output<I>): readonly Access[]
  /** Encodings of the input; by default query for GET and JSON for POST. The console sends the first kind. */
  readonly body?: BodyKind | readonly [BodyKind, ...BodyKind[]]
  readonly reply?: R
  /** True for a write outside the write budget: one that must always work, or one that pages repeat by themselves. */
  readonly unmetered?: true
  /**
   * Database of a read, by default the primary. `near`: a copy near the caller, which is as new as the caller's bookmark.
   * Never of what a form sends back (`revision`), nor of sessions, security, roles, secrets and audit.
   */
  readonly reads?: 'near' | 'primary'
  /** Limit of the caller's address block, which refuses a call before the database is asked. */
  readonly limit?: LimitedCall
  /** Size limit of the body; larger ones are refused with 413. */
  readonly maxBytes?: number
  /** One line for the OpenAPI document. */
  readonly summary: string
  readonly input: I
  readonly output: O
  /** Fields next to `data` in the envelope, as `count` of a list. */
  readonly extra?: X
  /** Key of the success sentence. */
  readonly done?: keyof typeof DONE
  /** Counts of a batch, which choose its sentence. `done` is one of `BatchDone` then. */
  counts?(data: z.output<O>): BatchCounts
  /** Success sentence that answer and input decide, in place of that of `done`. */
  sentence?(data: z.output<O>, input: z.output<I>): string
  /** Paths of the reads that are stale after this call. */
  readonly refreshes?: readonly string[]
  /** Valid input. OpenAPI shows it; the permission matrix sends it with its own ids in place of those of `EXAMPLE`. */
  readonly example: z.input<I>
}

/** Endpoint as written. Without `input` it takes none, without `output` its `data` is null. */
type Definition<I extends z.ZodType, O extends z.ZodType, X extends Shape, R extends ReplyKind> = Omit<
  Endpoint<I, O, X, R>,
  'method' | 'path' | 'access' | 'input' | 'output' | 'example'
> & { readonly input?: I; readonly output?: O } & (Record<never, never> extends z.input<I>
    ? { readonly example?: z.input<I> }
    : { readonly example: z.input<I> })

const define =
  (method: 'GET' | 'POST') =>
  <
    I extends z.ZodType = typeof empty,
    O extends z.ZodType = typeof nothing,
    X extends Shape = NoExtra,
    R extends ReplyKind = 'json',
  >(
    path: string,
    access: Access,
    definition: Definition<I, O, X, R>,
  ) =>
    ({ method, path, access, input: empty, output: nothing, example: {}, ...definition }) as unknown as Endpoint<
      I,
      O,
      X,
      R
    >

/** Defines a call that changes nothing: GET. */
export const read = define('GET')

/** Defines a call that changes something: POST. */
export const write = define('POST')

/** Ids in examples. */
export const EXAMPLE = {
  network_number: 'N20260001',
  router_name: 'NL-R220-0001',
  network_ticket_number: '202600000001',
  ticket_number: 'T20260101000001',
} as const

/** Input as a caller sends it, before defaults and coercion. */
export type Input<E extends Endpoint> = z.input<E['input']>
/** Input as a use case receives it. */
export type Parsed<E extends Endpoint> = z.output<E['input']>
/** Content of `data` in the reply. */
export type Output<E extends Endpoint> = z.output<E['output']>
/** Fields of the reply besides `data`. */
export type Extra<E extends Endpoint> = {
  readonly [K in keyof NonNullable<E['extra']>]: z.output<NonNullable<E['extra']>[K]>
}

/** Success sentence of an answer; empty without one. */
export function doneSentence(
  { done, counts, sentence }: Pick<Endpoint, 'done' | 'counts' | 'sentence'>,
  data: unknown,
  input: unknown,
): string {
  if (sentence !== undefined) return sentence(data, input)
  if (done === undefined) return ''
  return counts === undefined ? DONE[done] : batchSentence(done as BatchDone, counts(data))
}

export function bodyKinds({ method, body }: Pick<Endpoint, 'method' | 'body'>): readonly [BodyKind, ...BodyKind[]] {
  if (body === undefined) return [method === 'GET' ? 'query' : 'json']
  return typeof body === 'string' ? [body] : body
}

export function maxBytes(spec: Pick<Endpoint, 'method' | 'body' | 'maxBytes'>): number {
  return (
    spec.maxBytes ?? (bodyKinds(spec).includes('multipart') ? UPLOAD.maxBytes + UPLOAD.overheadBytes : BODY_MAX_BYTES)
  )
}
