import { Hono } from 'hono'
import type { HonoEnv } from '../../http/context.ts'
import { openapiDocument } from './document.ts'

export const openapiRoutes = new Hono<HonoEnv>()

openapiRoutes.get('/openapi.json', (c) => c.json(openapiDocument()))
