import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import config from '#infra/hosts.json' with { type: 'json' }
import { listFiles } from '#tests/support/source-files.ts'

// A customer reads one brand: that of the account's host, or of the host asked. Brands are data, and whatever writes to a
// customer is driven by tests/durable/brands.test.ts for every host.

const files = ['worker', 'durable', 'web'].flatMap((root) => listFiles(root, /\.(tsx?|html)$/))
const filesWith = (pattern: RegExp) => files.filter((file) => pattern.test(readFileSync(file, 'utf8'))).toSorted()

it('no source names a brand: infra/hosts.json alone does', () => {
  const names = Object.values(config.hosts).flatMap(({ name, title }) => [name ?? title.slice(0, 3)])
  expect(names).toEqual(['织联', '星桥云', '千帆通', '蓝途'])
  expect(filesWith(new RegExp(names.join('|')))).toEqual([])
})

/** Every sender of a mail or SMS: a new one becomes a step of tests/durable/brands.test.ts, then a row here. */
it('mails and SMS are sent from where brands.test.ts drives them', () => {
  expect(
    filesWith(/\b(composeMail|alertMail|codeMail|verificationMail|expiryMail)\(|\.(sendCode|sendNotice)\(/),
  ).toEqual([
    'durable/account-hub/alerts/alert-channels.ts',
    'worker/domain/contacts/messages.ts',
    'worker/domain/mail/alert.ts',
    'worker/domain/mail/code.ts',
    'worker/domain/mail/compose.ts',
    'worker/domain/ticket/notices.ts',
    'worker/features/account/service.ts',
    'worker/features/contacts/manage.ts',
    'worker/features/verify/service.ts',
    'worker/jobs/contact-expiry.ts',
    'worker/outside/adapters.ts',
  ])
})

/** The same of site messages; their sentences are in these files or in the rules that they import. */
it('site messages are written from where brands.test.ts drives them, or are the operator’s own words', () => {
  expect(filesWith(/\b(insertMessage|insertSecurityMessage)\(|insert into messages/)).toEqual([
    'durable/account-hub/alerts/alert-channels.ts',
    'worker/features/account/password.ts',
    'worker/features/account/service.ts',
    'worker/features/account/sql/service-warnings.ts',
    'worker/features/account/totp.ts',
    'worker/features/contacts/mail-links.ts',
    'worker/features/contacts/sql/expiry.ts',
    'worker/features/login/open-session.ts',
    'worker/features/message/sql.ts', // of jobs, which name routers and profiles only
    'worker/features/network/sql/status.ts', // names the network only
    'worker/features/ops/network-frs.ts', // names the resource only
    'worker/features/ops/network-tickets.ts', // names the order only
    'worker/features/ops/notices.ts',
    'worker/features/ops/sql/publications.ts',
    'worker/features/ops/tickets.ts',
    'worker/features/ram/password.ts',
    'worker/features/ticket/sql/due.ts',
    'worker/features/verify/recovery.ts',
  ])
})
