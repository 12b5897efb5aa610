import { Hono } from 'hono'
import { fileApi } from '../../contract/file.ts'
import type { HonoEnv } from '../../http/context.ts'
import { readFile } from './content.ts'

export const fileRoutes = new Hono<HonoEnv>()

fileRoutes.get(`/${fileApi.content.path}`, async (c) => {
  const { body, type, name, inline, maxAgeSeconds } = await readFile(
    c.get('ctx'),
    fileApi.content.input.parse(c.req.query()),
  )
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return c.body(body, 200, {
    'content-type': type,
    'content-disposition': `${inline ? 'inline' : 'attachment'}; filename*=UTF-8''${encoded}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': `private, max-age=${maxAgeSeconds}`,
  })
})
