import { expect, it } from 'vitest'
import { API } from '#contract/api.ts'
import type { Access } from '#contract/kernel/permissions.ts'

/**
 * Access of each call by noun, as network 6 and directory 3 say it and apart from the contract; the first fitting row
 * counts. A call of a noun without a row is an error: somebody has to say who may make it.
 */
const RULES: readonly (readonly [calls: RegExp, access: Access])[] = [
  // before a session, or by a link of a mail
  [/ verify\/(send_code|verify)$/, 'session'],
  [/ (login|verify|document|country|site|download|file)\//, 'public'],
  [/ account\/register$/, 'public'],
  [/ announcements\/image$/, 'public'],
  [/ contacts\/(validate_email|unsubscribe|refuse_mails|accept_mails)$/, 'public'],
  [/ client\/(profile|dial|profiles|(create|revoke)_profile|profile_link)$/, 'client'],
  [/ client\//, 'public'],
  // the account holder alone, but for each person’s own sessions, views and second factor
  [/ account\/(info|service|sessions|end_session|end_other_sessions|views|save_view|delete_view)$/, 'session'],
  [/ account\/totp(_setup|_enable|_disable|_recovery)?$/, 'session'],
  [/ ram\/password$/, 'ram'],
  [/ (account|ram|ram_role|ldap|auth_source)\//, 'main'],
  [/ logs\/(audit|software_login)$/, 'main'],
  [/ overview\/dismiss_steps$/, 'main'],
  [/ overview\/handle$/, 'session'],
  // members
  [/ router\/(add|batch)$/, 'router:create'],
  [/ router\/(delete|batch_delete|batch_delete_file)$/, 'router:delete'],
  [/ router\/export$/, 'router:edit'],
  [/^POST router\/(traffic_ticket|choices)$/, 'session'],
  [/^POST router\//, 'router:edit'],
  [/ saas\/bandwidth$/, 'router:edit'],
  [/ bandwidth_pool\/bandwidth$/, 'router:edit:all'],
  [/ (address|bandwidth_pool)\//, 'session:all'],
  // networks
  [/ network\/create$/, 'network:create'],
  [/ network\/delete$/, 'network:delete'],
  [/^POST network\/|network\/unsupported$/, 'network:edit'],
  // alerts
  [/ monitor\/enable$/, 'monitor:create'],
  [/ (monitor\/close|webhook\/delete)$/, 'monitor:delete'],
  [/^GET (monitor|webhook)\//, 'monitor:view'],
  [/^POST contacts\//, 'monitor:edit:all'],
  [/^POST (monitor|webhook)\//, 'monitor:edit'],
  // everybody sees members, networks and what belongs to them, as far as the networks of the role go
  [/^GET (router|network|network_fr|saas|contacts|logs|overview)\//, 'session'],
  [/ (message|announcements|ticket)\//, 'session'],
]

it('network 6 · each call is open to whom the documents and the design name', () => {
  const wrong = API.flatMap(({ method, path, access }) => {
    const expected = RULES.find(([calls]) => calls.test(`${method} ${path}`))?.[1]
    return expected === access ? [] : [`${method} ${path}: ${access}, not ${expected}`]
  })
  expect(wrong).toEqual([])
})

it('each rule concerns a call', () => {
  const calls = API.map(({ method, path }) => `${method} ${path}`)
  const used = new Set(calls.map((call) => RULES.findIndex(([pattern]) => pattern.test(call))))
  expect(RULES.filter((_, n) => !used.has(n)).map(([pattern]) => pattern.source)).toEqual([])
})
