import type { MiddlewareHandler } from 'hono'
import { violation } from '../../contract/errors.ts'
import type { HonoEnv } from '../../http/context.ts'
import { refusal } from '../../http/errors.ts'
import { timingSafeEqual } from '../../security/secrets.ts'

/** Checks the operator token in constant time. If unset, every call is refused. */
export const operatorOnly: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const token = c.env.OPERATOR_TOKEN ?? ''
  const isOperator = token.length >= 16 && timingSafeEqual(c.req.header('authorization') ?? '', `Bearer ${token}`)
  return isOperator ? next() : refusal(c, violation('TOKEN_BAD'))
}
