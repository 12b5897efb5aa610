import type { Rule } from '../spec-item.ts'

/** Rules on how pages handle answers: sessions, codes, failures. */
export const ANSWER_RULES: readonly Rule[] = [
  [
    'directory 4',
    'wizards advance only on success',
    'api/verify/recovery.test.ts › enforces the order of the steps',
    'web/account/wizards.test.tsx › advances only on success',
  ],
  [
    'directory 4',
    'an expired token is refreshed',
    'api/login/refresh.test.ts › gives a new access token and the next cookie, in one round trip',
    'web/lib/call.test.ts › code %i: refreshes once and repeats the call',
  ],
  [
    'directory 4',
    'a refresh that fails signs out',
    'api/login/refresh.test.ts › answers expired for an expired session',
    'web/lib/call.test.ts › navigates to the sign-in page, once, with a flash message',
  ],

  [
    'directory 5',
    'deletions are asked',
    null,
    'web/contacts/contacts-page.test.tsx › deletes one behind the question of the document',
  ],

  [
    'directory 8',
    '200: the server’s sentence',
    'unit/http/mount.test.ts › carries the sentence of `done`, and null where a use case returns nothing',
    'web/lib/use-endpoint.test.tsx › shows the server’s sentence and reads again what the contract calls stale',
  ],
  [
    'directory 8',
    '423 is silent',
    'api/ldap/ldap.test.ts › stands on a check of exactly these values',
    'web/lib/call.test.ts › code %i "%s"',
  ],
  [
    'directory 8',
    '423 of a domain',
    'api/ldap/ldap.test.ts › asks for the domain first, with the name of the file',
    'web/ldap/ldap-edit-page.test.tsx › offers the proof of a domain that is not proved, and goes on after it',
  ],
  [
    'directory 8',
    '204: shown, and one page back',
    'api/ldap/members.test.ts › user lists ten a page, import takes one or several, a stale hash is 204',
    'web/lib/call.test.ts › code %i "%s"',
  ],
  [
    'directory 8',
    '204: not back from an import',
    'durable/directory-tasks.test.ts › a hash that is not the newest changes nothing',
    'web/ldap/ldap-page.test.tsx › stays open where the listing is no longer the newest, and reads it again',
  ],
  [
    'directory 8',
    '204: router info',
    'api/matrix.test.ts › other tenant: each call with an id',
    'web/router/router-detail-page.test.tsx › deleted by another user: shows a message and navigates to the list',
  ],
  [
    'directory 8',
    '422: shown and returned',
    'api/auth-source/manage.test.ts › directory 5 · each wrong field is refused with its sentence, and no vendor is asked',
    'web/lib/call.test.ts › code %i "%s"',
  ],
  [
    'directory 8',
    '401: shown and returned',
    'api/account/contact.test.ts › account 8 · phone binding: 401 makes the code field appear',
    'web/lib/call.test.ts › code %i "%s"',
  ],
  [
    'directory 8',
    '403: shown and returned',
    'api/matrix.test.ts › network 6 · a sub-account without the permission',
    'web/lib/call.test.ts › code %i "%s"',
  ],
  [
    'directory 8',
    '2000 or more: the session is renewed or over',
    'api/login/token-corpus.test.ts › an expired token is refused as expired, so that the console refreshes',
    'web/lib/call.test.ts › gives up when the renewed token is refused as well',
  ],
  [
    'directory 8',
    'other codes',
    'api/site/logs.test.ts › an unexpected error is logged under the request id, which is all the answer reveals',
    'web/lib/call.test.ts › code %i "%s"',
  ],
  ['directory 8', 'failure of the network, time-out', null, 'web/lib/call.test.ts › says 系统响应超时 on %s'],
  [
    'directory 8',
    'refresh failure',
    'api/login/refresh.test.ts › answers expired for an expired session',
    'browser/flows/roles.test.ts › a role that is narrowed while its pages are open loses what they show at once, and a session that ends its page (%i px)',
  ],
  [
    'directory 8',
    'error toasts: 5 s',
    null,
    'web/lib/toast.test.tsx › announces errors, with the request id, for five seconds',
  ],
  [
    'directory 8',
    'empty tables',
    null,
    'web/ui/table/data-table.test.tsx › distinguishes an empty list from an empty search',
  ],
  [
    'directory 8',
    'validation of an e-mail: done',
    'api/contacts/verify.test.ts › verifies for 180 days, and opening the link again answers the same and changes nothing',
    'web/contacts/link-pages.test.tsx › posts the s of the address, and shows the message with the image of success',
  ],
  [
    'directory 8',
    'validation of an e-mail: anything else',
    'api/contacts/verify.test.ts › stores no secret, and refuses an old link exactly as one that nobody was sent',
    'web/contacts/link-pages.test.tsx › shows the refusal with the image of failure: %s',
  ],
  [
    'directory 8',
    'other answers end the loading state',
    null,
    'web/ui/form/contract-form.test.tsx › locks while it runs, so a second press sends nothing, and unlocks on the answer',
  ],

  [
    'directory 9',
    'request time-out 10 s',
    null,
    'web/logs/logs-pages.test.tsx › waits a minute for the file, and the request time-out for the list',
  ],
  [
    'directory 9',
    'success is 200',
    'unit/http/mount.test.ts › carries the sentence of `done`, and null where a use case returns nothing',
    'web/lib/call.test.ts › sends the token, the query without what is absent, and unwraps the reply',
  ],
]
