import type { Context } from 'hono'
import { contactsApi } from '#contract/contacts/index.ts'
import { refuse } from '#contract/kernel/errors.ts'
import { DONE, RESULT } from '#contract/kernel/result.ts'
import type { HonoEnv } from '#http/context.ts'
import { unsubscribe } from './mail-links.ts'

/**
 * The unsubscribe button of a mailbox (RFC 8058): its provider posts to the address of the page, without a cookie or an Origin.
 * A GET only shows the page, because mail scanners open links.
 */
export async function oneClickUnsubscribe(c: Context<HonoEnv>): Promise<Response> {
  const body = await c.req.parseBody().catch(() => refuse('BODY_MALFORMED'))
  if (body['List-Unsubscribe'] !== 'One-Click') return refuse('BODY_MALFORMED')
  const input = contactsApi.unsubscribe.input.parse({ s: c.req.query('s') })
  await unsubscribe(c.get('ctx'), input)
  c.set('code', RESULT.ok)
  return c.json({ code: RESULT.ok, msg: DONE.unsubscribed, data: null })
}
