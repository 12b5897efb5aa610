import { Hono } from 'hono'
import type { HonoEnv } from '#http/context.ts'
import { openapiDocument } from './document.ts'

/* Endpoint of the OpenAPI document. */

export const openapiRoutes = new Hono<HonoEnv>()

/** OpenAPI text, made once by the first call of an isolate. */
let text: string | undefined

openapiRoutes.get('/openapi.json', (c) =>
  c.body((text ??= JSON.stringify(openapiDocument())), 200, { 'content-type': 'application/json' }),
)
