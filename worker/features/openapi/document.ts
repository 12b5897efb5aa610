import { z } from 'zod'
import type { Endpoint } from '../../contract/endpoint.ts'
import { CODE } from '../../contract/errors.ts'
import { API } from '../../contract/index.ts'

/** OpenAPI 3.1 of /api/v1, made from the endpoint table. Serves `GET openapi.json` and `npm run -s openapi`. */
export function openapiDocument() {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const spec of API) (paths[`/${spec.path}`] ??= {})[spec.method.toLowerCase()] = operation(spec)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Netloom',
      version: '1',
      description:
        `HTTP 200 for every business result; \`code\` ${CODE.ok} is success. ` +
        'A code of 2000 or more means the session is gone. Times are epoch milliseconds.',
    },
    servers: [{ url: '/api/v1' }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    paths,
  }
}

function operation(spec: Endpoint) {
  const input = schemaOf(spec.input, 'input')
  return {
    operationId: spec.path.replace('/', '_'),
    tags: [spec.path.split('/')[0]],
    summary: spec.summary,
    'x-access': spec.access,
    ...(spec.access !== 'public' && { security: [{ bearer: [] }] }),
    ...(spec.method === 'GET'
      ? { parameters: parametersOf(input) }
      : { requestBody: { content: json(input), required: true } }),
    responses: { '200': { description: 'The envelope', content: json(envelope(schemaOf(spec.output, 'output'))) } },
  }
}

interface JsonSchema {
  readonly properties?: Record<string, unknown>
  readonly required?: readonly string[]
}

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' }) as JsonSchema

const json = (schema: object) => ({ 'application/json': { schema } })

const envelope = (data: object) => ({
  type: 'object',
  required: ['code', 'msg', 'data'],
  properties: { code: { type: 'integer' }, msg: { type: 'string' }, data, count: { type: 'integer' } },
})

const parametersOf = (input: JsonSchema) =>
  Object.entries(input.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: input.required?.includes(name) ?? false,
    schema,
  }))
