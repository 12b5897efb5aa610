import * as z from 'zod'
import { BOOKMARK_HEADER } from '#contract/kernel/bookmark.ts'
import { type BodyKind, type Endpoint, bodyKinds } from '#contract/kernel/endpoint.ts'
import { ERRORS } from '#contract/kernel/errors.ts'
import { DONE, RESULT } from '#contract/kernel/result.ts'
import { API } from '#contract/api.ts'

/* OpenAPI 3.1 document of /api/v1, made from the endpoint table, for `GET openapi.json` and `npm run -s openapi`. */

const CONTENT_TYPE: Readonly<Record<Exclude<BodyKind, 'query'>, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  stream: 'application/octet-stream',
}

export function openapiDocument() {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const spec of API) (paths[`/${spec.path}`] ??= {})[spec.method.toLowerCase()] = operation(spec)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Netloom',
      version: '1',
      description:
        `HTTP 200 for every business result; \`code\` ${RESULT.ok} is success, every other one comes with the key of its ` +
        '`reason`. A code of 2000 or more means the session is gone. Times are epoch milliseconds. ' +
        `Answers to a signed-in caller carry \`${BOOKMARK_HEADER}\`. A call with \`x-reads\` near that sends the newest one (they ` +
        'sort as text) may be answered by a copy of the database near the caller, with all that the caller has written and read.',
    },
    servers: [{ url: '/api/v1' }],
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Refusal: REFUSAL },
    },
    paths,
  }
}

function operation(spec: Endpoint) {
  const input = toJsonSchema(spec.input, 'input')
  const kinds = bodyKinds(spec).filter((kind) => kind !== 'query')
  return {
    operationId: spec.path.replace('/', '_'),
    tags: [spec.path.split('/')[0]],
    summary: spec.summary,
    'x-access': spec.access,
    ...(spec.refreshes && { 'x-refreshes': spec.refreshes }),
    ...(spec.reads && { 'x-reads': spec.reads }),
    ...(spec.access !== 'public' && { security: [{ bearer: [] }] }),
    ...(kinds.length === 0
      ? {
          parameters: [
            ...toParameters(input, spec.example as Readonly<Record<string, unknown>>),
            ...(spec.reads === 'near' ? [BOOKMARK] : []),
          ],
        }
      : { requestBody: { required: true, content: toBody(kinds, input, toPlain(spec.example)) } }),
    responses: { '200': toResponse(spec) },
  }
}

const BOOKMARK = { name: BOOKMARK_HEADER, in: 'header', required: false, schema: { type: 'string' } } as const

/** Example as JSON; a file in it becomes its name. */
const toPlain = (example: unknown): unknown => JSON.parse(JSON.stringify(example))

interface JsonSchema {
  readonly properties?: Record<string, unknown>
  readonly required?: readonly string[]
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' })
  return rest as JsonSchema
}

const toBody = (kinds: readonly Exclude<BodyKind, 'query'>[], schema: JsonSchema, example: unknown) =>
  Object.fromEntries(
    kinds.map((kind) => [
      CONTENT_TYPE[kind],
      { schema, example, ...(kind === 'form' && { encoding: toEncoding(schema) }) },
    ]),
  )

/** Nested fields of a form have bracket names. */
const toEncoding = (schema: JsonSchema) =>
  Object.fromEntries(Object.keys(schema.properties ?? {}).map((name) => [name, { style: 'deepObject', explode: true }]))

function toResponse(spec: Endpoint) {
  const refused = { $ref: '#/components/schemas/Refusal' }
  if (spec.reply === 'file') {
    return {
      description: 'The file; a refusal is an envelope',
      content: { 'application/octet-stream': {}, 'application/json': { schema: refused } },
    }
  }
  const done = {
    type: 'object',
    required: ['code', 'msg', 'data', ...Object.keys(spec.extra ?? {})],
    properties: {
      code: { const: RESULT.ok },
      msg:
        spec.sentence || spec.counts ? { type: 'string' } : { const: spec.done === undefined ? '' : DONE[spec.done] },
      data: toJsonSchema(spec.output, 'output'),
      ...Object.fromEntries(
        Object.entries(spec.extra ?? {}).map(([name, schema]) => [name, toJsonSchema(schema, 'output')]),
      ),
    },
  }
  return { description: 'The envelope', content: { 'application/json': { schema: { oneOf: [done, refused] } } } }
}

const REFUSAL = {
  type: 'object',
  required: ['code', 'msg', 'reason', 'data'],
  properties: {
    code: { enum: [...new Set(Object.values(ERRORS).map(({ code }) => code))] },
    msg: { type: 'string' },
    reason: { enum: Object.keys(ERRORS) },
    data: {
      type: ['object', 'null'],
      properties: { field: { type: 'string' }, retry_after: { type: 'number', description: 'Seconds' } },
    },
    request_id: { type: 'string' },
  },
}

const toParameters = (input: JsonSchema, example: Readonly<Record<string, unknown>>) =>
  Object.entries(input.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: input.required?.includes(name) ?? false,
    schema,
    ...(name in example && { example: example[name] }),
  }))
