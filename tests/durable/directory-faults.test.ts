import { expect, it } from 'vitest'
import { ERRORS, type ErrorKey } from '#contract/kernel/errors.ts'
import type { DirectoryLimits } from '#contract/ldap/limits.ts'
import {
  type Server,
  createServed,
  healthy,
  serve,
  userReply,
  usersReply,
  uuidOf,
} from '#tests/support/directory-server.ts'
import {
  bindReply,
  doneReply,
  entryReply,
  extendedReply,
  referenceReply,
} from '#tests/support/directory/ldap-replies.ts'
import { runNow, statusOf } from '#tests/support/directory.ts'
import { findOffenders } from '#tests/support/offenders.ts'

// Faults of a server, spoken to by the hub's own client: no member is lost or disabled, and the page says why.

const MEMBERS = 5
const ALL = { u0: 1, u1: 1, u2: 1, u3: 1, u4: 1 }
const refusedBind = (words: string): Server => ({ ...healthy(MEMBERS), bind: (id) => bindReply(id, 49, words) })
const adWords = (code: string) => `80090308: LdapErr: DSID-0C090447, AcceptSecurityContext error, data ${code}, v4563`
const endingWith = (code: number): Server => ({
  list: ({ id }) => Buffer.concat([usersReply(id, 2), doneReply(id, code)]),
})
/** Two users on a first page, and then this. */
const secondPage = (list: Server['list']): Server => ({
  list: (request) =>
    request.cookie === ''
      ? Buffer.concat([usersReply(request.id, 2), doneReply(request.id, 0, 'next')])
      : list(request),
})
const byteByByte = (bytes: Buffer): Buffer[] => [...bytes].map((byte) => Buffer.from([byte]))

type Fault = readonly [title: string, server: Server, key: ErrorKey, limits: Partial<DirectoryLimits>]
const fault = (title: string, server: Server, key: ErrorKey, limits: Partial<DirectoryLimits> = {}): Fault => [
  title,
  server,
  key,
  limits,
]
const FAULTS: readonly Fault[] = [
  fault(
    'an attribute of three megabytes',
    { list: ({ id }) => userReply(id, 0, { jpegPhoto: Buffer.alloc(3 << 20) }) },
    'LDAP_TOO_LARGE',
  ),
  fault(
    'pages of users without end',
    {
      list: ({ id, cookie }) => {
        const from = Number(cookie || 0)
        return Buffer.concat([usersReply(id, 5, from), doneReply(id, 0, String(from + 5))])
      },
    },
    'LDAP_TOO_MANY',
    { users: 100 },
  ),
  fault(
    'pages of the same users without end',
    { list: ({ id }) => Buffer.concat([usersReply(id, 2), doneReply(id, 0, 'again')]) },
    'LDAP_INCOMPLETE',
  ),
  fault(
    'empty pages with cookies without end',
    secondPage(({ id }) => doneReply(id, 0, 'next')),
    'LDAP_INCOMPLETE',
  ),
  fault(
    'two entries with one id',
    {
      list: ({ id }) =>
        Buffer.concat([
          userReply(id, 0),
          entryReply(id, 'uid=x,dc=acme', { entryUUID: uuidOf(0), uid: 'x' }),
          doneReply(id, 0, ''),
        ]),
    },
    'LDAP_DUPLICATE_ID',
  ),
  fault(
    'entries without an immutable id',
    { list: ({ id }) => entryReply(id, 'uid=u0,dc=acme', { uid: 'u0' }) },
    'LDAP_NO_ID',
  ),
  fault('a referral instead of users', endingWith(10), 'LDAP_BASE_ELSEWHERE'),
  fault(
    'a byte at a time, and never the last',
    { list: ({ id }) => byteByByte(userReply(id, 0)).slice(0, -1) },
    'LDAP_TIME_LIMIT',
    { searchMs: 200 },
  ),
  fault('silence behind the bind', { list: () => [] }, 'LDAP_TIME_LIMIT', { searchMs: 100 }),
  fault('silence to the bind', { ...healthy(MEMBERS), bind: () => [] }, 'LDAP_UNREACHABLE', { bindMs: 100 }),
  fault(
    'a second page that is lost',
    secondPage(({ id }) => doneReply(id)),
    'LDAP_INCOMPLETE',
  ),
  fault(
    'a second page that fails',
    secondPage(({ id }) => doneReply(id, 51)),
    'LDAP_SERVER_BUSY',
  ),
  fault(
    'the end of the connection between two pages',
    secondPage(() => null),
    'LDAP_CLOSED',
  ),
  fault(
    'the end of the connection in the middle of a page',
    { list: ({ id }) => [usersReply(id, 3), null] },
    'LDAP_CLOSED',
  ),
  fault(
    'the end of the connection in the middle of an entry',
    { list: ({ id }) => [userReply(id, 0).subarray(0, 30), null] },
    'LDAP_CLOSED',
  ),
  fault(
    'a notice of disconnection in the middle of a page',
    { list: ({ id }) => [usersReply(id, 3), extendedReply(0, 52)] },
    'LDAP_CLOSED',
  ),
  fault('a size limit in the middle of a page', endingWith(4), 'LDAP_SIZE_LIMIT'),
  fault('an administrative limit', endingWith(11), 'LDAP_SIZE_LIMIT'),
  fault('a time limit in the middle of a page', endingWith(3), 'LDAP_TIME_LIMIT'),
  fault('no paging', endingWith(12), 'LDAP_PAGING_UNSUPPORTED'),
  fault('an account that may no longer read', endingWith(50), 'LDAP_ACCESS_DENIED'),
  fault('a base that is gone', endingWith(32), 'LDAP_BASE_MISSING'),
  fault('a filter that the server does not take', endingWith(87), 'LDAP_FILTER_INVALID'),
  fault('a code that nobody knows', endingWith(80), 'LDAP_SERVER_ERROR'),
  fault('a bind that is refused', refusedBind(''), 'LDAP_BIND_REFUSED'),
  fault('a bind that is refused, AD 52e', refusedBind(adWords('52e')), 'LDAP_BIND_REFUSED'),
  fault('a bind that is refused, AD 533', refusedBind(adWords('533')), 'LDAP_BIND_DISABLED'),
  fault('a bind that is refused, AD 701', refusedBind(adWords('701')), 'LDAP_BIND_EXPIRED_ACCOUNT'),
  fault('a bind that is refused, AD 775', refusedBind(adWords('775')), 'LDAP_BIND_LOCKED'),
  fault(
    'a server that wants encryption',
    { ...healthy(MEMBERS), bind: (id) => bindReply(id, 8) },
    'LDAP_STARTTLS_NEEDED',
  ),
  fault(
    'a server of another protocol',
    { ...healthy(MEMBERS), bind: () => Buffer.from('HTTP/1.1 400 Bad Request\r\n') },
    'LDAP_NOT_LDAP',
  ),
  fault('a reply to nothing', { list: ({ id }) => usersReply(id + 1, 1) }, 'LDAP_NOT_LDAP'),
  fault('a length beyond its message', { list: () => Buffer.from([0x30, 5, 2, 1, 3, 0x64, 0x7f]) }, 'LDAP_NOT_LDAP'),
]

it('each fault: the run fails and says why, members stay', async () => {
  const offenders = await findOffenders(FAULTS)(async (_, server, key, limits) => {
    const test = await createServed(MEMBERS)
    await serve(test, server, limits)
    const state = await runNow(test)
    const sentence = ERRORS[key].msg.replace(/（代码\{code\}）/, '（代码80）')
    expect(state).toMatchObject({ count: MEMBERS, fault: sentence, run: { state: 'failed' } })
    expect(await statusOf(test)).toEqual(ALL)
    await serve(test, healthy(MEMBERS))
    expect(await runNow(test)).toMatchObject({ fault: '', run: { state: 'done', counts: { added: 0, disabled: 0 } } })
  })
  expect(offenders).toEqual([])
})

const HARMLESS: readonly (readonly [string, Server])[] = [
  [
    'photos and other long values',
    {
      list: ({ id }) =>
        Buffer.concat([
          ...Array.from({ length: MEMBERS }, (_, n) =>
            userReply(id, n, { jpegPhoto: Buffer.alloc(900_000, 0xff), description: Buffer.alloc(200_000, 0x61) }),
          ),
          doneReply(id, 0, ''),
        ]),
    },
  ],
  [
    'an empty page with a cookie between two others',
    {
      list: ({ id, cookie }) =>
        cookie === ''
          ? Buffer.concat([usersReply(id, 2), doneReply(id, 0, 'a')])
          : cookie === 'a'
            ? doneReply(id, 0, 'b')
            : Buffer.concat([usersReply(id, MEMBERS - 2, 2), doneReply(id, 0, '')]),
    },
  ],
  [
    'continuations to other servers',
    {
      list: ({ id }) =>
        Buffer.concat([referenceReply(id, 'ldap://other/'), usersReply(id, MEMBERS), doneReply(id, 0, '')]),
    },
  ],
  [
    'a byte at a time',
    { list: ({ id }) => byteByByte(Buffer.concat([usersReply(id, MEMBERS), doneReply(id, 0, '')])) },
  ],
  [
    'the same entry twice',
    { list: ({ id }) => Buffer.concat([usersReply(id, MEMBERS), userReply(id, 0), doneReply(id, 0, '')]) },
  ],
]

it.each(HARMLESS)('%s: the listing is complete, nothing changes', async (_, server) => {
  const test = await createServed(MEMBERS)
  await serve(test, server)
  expect(await runNow(test)).toMatchObject({
    fault: '',
    run: { state: 'done', counts: { added: 0, changed: 0, disabled: 0, removable: 0 } },
  })
  expect(await statusOf(test)).toEqual(ALL)
})
