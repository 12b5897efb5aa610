import { expect, it } from 'vitest'
import { AUTH_SOURCE_ERRORS } from '#contract/auth-source/errors.ts'
import { CLIENT_ERRORS } from '#contract/client/errors.ts'
import { HANDBOOK_ERRORS } from '#contract/document/errors.ts'
import { ERRORS } from '#contract/kernel/errors.ts'
import { LDAP_ERRORS } from '#contract/ldap/errors.ts'
import { NETWORK_ERRORS } from '#contract/network/errors.ts'
import { ROUTER_ERRORS } from '#contract/router/errors.ts'

const PARTS = [AUTH_SOURCE_ERRORS, CLIENT_ERRORS, HANDBOOK_ERRORS, LDAP_ERRORS, NETWORK_ERRORS, ROUTER_ERRORS]

it('no refusal of one catalogue has the sentence of another one with its key', () => {
  const whole: Readonly<Record<string, unknown>> = ERRORS
  const replaced = PARTS.flatMap((part) => Object.entries(part)).filter(([key, entry]) => whole[key] !== entry)
  expect(replaced.map(([key]) => key)).toEqual([])
})
