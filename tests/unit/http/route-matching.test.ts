import { expect, it } from 'vitest'
import { createApp } from '#worker/app.ts'
import type { Outside } from '#contract/kernel/outside.ts'
import { directPasswords } from '#tests/support/direct-passwords.ts'
import { fakeHubs } from '#tests/support/fake-hubs.ts'
import { NO_STATUS } from '#tests/support/fake-status.ts'

it('all routes are matched by one regular expression, not by the slower trie', () => {
  const app = createApp({
    hubs: () => fakeHubs().hubs,
    outside: () => ({ sms: {}, mail: {} }) as Outside,
    passwords: () => directPasswords().passwords,
    status: () => NO_STATUS,
  })
  app.router.match('GET', '/')
  expect(app.router.name).toBe('SmartRouter + RegExpRouter')
})
