import { Hono } from 'hono'
import { expect, it } from 'vitest'
import type { HonoEnv } from '#http/context.ts'
import { readClientAddress } from '#http/request-context.ts'

const app = new Hono<HonoEnv>().get('/', (c) => c.text(readClientAddress(c)))

/** Request as the runtime delivers it without a proxy. */
const from = (clientIp?: string, headers: Record<string, string> = {}) =>
  Object.assign(new Request('http://localhost/', { headers }), clientIp === undefined ? {} : { cf: { clientIp } })

it.each([
  ['the platform’s header', from('10.0.0.9:4000', { 'cf-connecting-ip': '198.51.100.7' }), '198.51.100.7'],
  ['a peer without a proxy', from('203.0.113.5:51234'), '203.0.113.5'],
  ['an IPv6 peer', from('[2001:db8::5]:51234'), '2001:db8::5'],
  ['nothing known', from(), '127.0.0.1'],
])('%s', async (_, request, address) => {
  expect(await (await app.request(request)).text()).toBe(address)
})
