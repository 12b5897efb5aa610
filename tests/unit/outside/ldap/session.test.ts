import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DIRECTORY } from '#contract/ldap/limits.ts'
import { type DirectoryTarget, openDirectory } from '#outside/ldap/directory-connection.ts'
import { DirectoryError } from '#outside/tls/failure.ts'
import { der } from '#tests/support/directory/der.ts'
import {
  type Request,
  bindReply,
  doneReply,
  entryReply,
  extendedReply,
  message,
  readRequest,
  referenceReply,
} from '#tests/support/directory/ldap-replies.ts'
import { createMemoryPipe } from '#tests/support/directory/memory-pipe.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const TARGET: DirectoryTarget = {
  host: 'ldap.qiming.com',
  port: 389,
  security: 'none',
  certificateName: null,
  ca: { kind: 'public' },
}
const ACCOUNT = { bindDn: 'cn=reader', password: 'secret' }
const QUERY = { baseDn: 'dc=a', filter: null, usernameAttribute: null, phoneAttribute: null }

type Answer = (request: Request) => Buffer | null | readonly (Buffer | null)[]

/** A server whose listing is under test; bind and root entry are as usual. */
const afterBind =
  (listing: Answer): Answer =>
  (request) => {
    if (request.operation === 'bind') return bindReply(request.id)
    return request.base === '' ? doneReply(request.id) : listing(request)
  }

const toPipe = (answer: Answer) =>
  createMemoryPipe((written) => {
    const request = readRequest(written)
    if (request.operation === 'unbind') return []
    const reply = answer(request)
    return reply === null || reply instanceof Uint8Array ? [reply] : reply
  })

const open = (answer: Answer, limits: Partial<Record<keyof typeof DIRECTORY, number>> = {}, target = TARGET) => {
  const pipe = toPipe(answer)
  return {
    pipe,
    opened: openDirectory(
      target,
      ACCOUNT,
      async () => pipe,
      () => 0,
      { ...DIRECTORY, ...limits },
    ),
  }
}

async function reasonOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'nothing'
  } catch (error) {
    return error instanceof DirectoryError ? error.reason : String(error)
  }
}

async function list(listing: Answer, limits: Parameters<typeof open>[1] = {}) {
  const { opened, pipe } = open(afterBind(listing), limits)
  const pages: string[][] = []
  const connection = await opened
  const reason = await reasonOf(
    connection.listUsers(QUERY, (page) => void pages.push(page.map(({ username }) => username))),
  )
  return { reason, pages, isClosed: pipe.isClosed }
}

const uuid = (index: number): string => `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`
const entry = (id: number, index: number, values = {}): Buffer =>
  entryReply(id, `uid=u${index},dc=a`, { entryUUID: uuid(index), uid: `u${index}`, ...values })

describe('bind', () => {
  it('each code of the server has its reason', async () => {
    const offenders = await findOffenders<[number, string, string]>([
      [49, '', 'bind_refused'],
      [49, '80090308: LdapErr: DSID-0C090447, comment: AcceptSecurityContext error, data 52e, v4563', 'bind_refused'],
      [49, 'AcceptSecurityContext error, data 525, v4563', 'bind_refused'],
      [49, 'AcceptSecurityContext error, data 530, v4563', 'bind_restricted'],
      [49, 'AcceptSecurityContext error, data 531, v4563', 'bind_restricted'],
      [49, 'AcceptSecurityContext error, data 532, v4563', 'bind_expired_password'],
      [49, 'AcceptSecurityContext error, data 533, v4563', 'bind_disabled'],
      [49, 'AcceptSecurityContext error, data 701, v4563', 'bind_expired_account'],
      [49, 'AcceptSecurityContext error, data 773, v4563', 'bind_expired_password'],
      [49, 'AcceptSecurityContext error, data 775, v4563', 'bind_locked'],
      [53, 'Account inactivated. Contact system administrator.', 'bind_disabled'],
      [19, 'Exceed password retry limit. Please try later.', 'bind_locked'],
      [8, 'The server requires binds to turn on integrity checking', 'starttls_needed'],
      [13, '', 'starttls_needed'],
      [32, '', 'bind_refused'],
      [34, '', 'bind_refused'],
      [7, '', 'bind_unsupported'],
      [51, '', 'server_busy'],
      [80, '', 'server_error'],
    ])(async (code, words, reason) => {
      expect(await reasonOf(open(({ id }) => bindReply(id, code, words)).opened)).toBe(reason)
    })
    expect(offenders).toEqual([])
  })

  it.each(['', 'secret'])('sends nothing for an empty name or password', async (password) => {
    const pipe = toPipe(({ id }) => bindReply(id))
    const account = { bindDn: password === '' ? 'cn=reader' : '', password }
    expect(
      await reasonOf(
        openDirectory(
          TARGET,
          account,
          async () => pipe,
          () => 0,
        ),
      ),
    ).toBe('bind_refused')
    expect(pipe.written).toHaveLength(0)
  })

  it.each<[string, Answer, string]>([
    ['hangs up without a word', () => null, 'tls_needed'],
    ['answers in TLS', () => Buffer.from([0x15, 3, 3, 0, 2, 2, 10]), 'tls_needed'],
    ['is a web server', () => Buffer.from('HTTP/1.1 400 Bad Request\r\n'), 'not_ldap'],
    ['answers another request', ({ id }) => bindReply(id + 1), 'not_ldap'],
    ['answers another operation', ({ id }) => doneReply(id), 'not_ldap'],
    ['says goodbye', () => extendedReply(0, 52), 'closed'],
    ['hangs up in the middle', ({ id }) => [bindReply(id).subarray(0, 4), null], 'closed'],
  ])('a server that %s', async (_, answer, reason) => {
    const { opened, pipe } = open(answer)
    expect(await reasonOf(opened)).toBe(reason)
    expect(pipe.isClosed).toBe(true)
  })
})

describe('StartTLS', () => {
  const target = { ...TARGET, security: 'starttls' } as const

  it.each([1, 2, 52, 53])('code %i: not supported', async (code) => {
    expect(await reasonOf(open(({ id }) => extendedReply(id, code), {}, target).opened)).toBe('starttls_unsupported')
  })

  it('bytes behind the reply, which would count as encrypted, end it', async () => {
    const injecting: Answer = ({ id }) => Buffer.concat([extendedReply(id), bindReply(2)])
    expect(await reasonOf(open(injecting, {}, target).opened)).toBe('tls_failed')
  })

  it('the password is not sent before TLS stands', async () => {
    const { opened, pipe } = open(({ id }) => extendedReply(id, 2), {}, target)
    await reasonOf(opened)
    expect(pipe.written.includes(ACCOUNT.password)).toBe(false)
  })
})

describe('listing', () => {
  it('goes on behind an empty page as long as there is a cookie', async () => {
    const pages: Answer = ({ id, cookie }) =>
      cookie === ''
        ? Buffer.concat([entry(id, 1), doneReply(id, 0, 'a')])
        : cookie === 'a'
          ? doneReply(id, 0, 'b')
          : Buffer.concat([entry(id, 2), referenceReply(id, 'ldap://other/'), doneReply(id, 0, '')])
    expect(await list(pages)).toMatchObject({ reason: 'nothing', pages: [['u1'], ['u2']] })
  })

  it('answers an empty directory with one empty page', async () => {
    expect(await list(({ id }) => doneReply(id, 0, ''))).toMatchObject({ reason: 'nothing', pages: [[]] })
  })

  it('takes the same entry twice as one', async () => {
    const twice: Answer = ({ id }) => Buffer.concat([entry(id, 1), entry(id, 1), doneReply(id, 0, '')])
    expect((await list(twice)).pages).toEqual([['u1']])
  })

  it('each fault of a listing has its reason, and closes the connection', async () => {
    const offenders = await findOffenders<[string, Answer, string]>([
      ['empty pages without end', ({ id }) => doneReply(id, 0, 'again'), 'incomplete'],
      [
        'a second page without a control',
        ({ id, cookie }) => doneReply(id, 0, cookie === '' ? 'a' : null),
        'incomplete',
      ],
      ['a second page that fails', ({ id, cookie }) => doneReply(id, cookie === '' ? 0 : 51, 'a'), 'server_busy'],
      ['no paging, with or without the control', ({ id }) => doneReply(id, 12), 'paging_unsupported'],
      ['a size limit', ({ id }) => Buffer.concat([entry(id, 1), doneReply(id, 4)]), 'size_limit'],
      ['an administrative limit', ({ id }) => doneReply(id, 11), 'size_limit'],
      ['a time limit', ({ id }) => doneReply(id, 3), 'time_limit'],
      ['a referral', ({ id }) => doneReply(id, 10), 'base_elsewhere'],
      ['no right to read', ({ id }) => doneReply(id, 50), 'access_denied'],
      ['an entry without an id', ({ id }) => entryReply(id, 'uid=a', { uid: 'a' }), 'no_id'],
      [
        'two entries with one id',
        ({ id }) => Buffer.concat([entry(id, 1), entryReply(id, 'uid=b', { entryUUID: uuid(1) })]),
        'duplicate_id',
      ],
      ['a message of two gigabytes', () => Buffer.from([0x30, 0x84, 0x7f, 0xff, 0xff, 0xff, 2]), 'too_large'],
      ['a length of five bytes', () => Buffer.from([0x30, 0x85, 1, 0, 0, 0, 0, 2]), 'not_ldap'],
      ['an indefinite length', () => Buffer.from([0x30, 0x80, 2, 1, 1, 0, 0]), 'not_ldap'],
      ['an empty message', () => Buffer.from([0x30, 0]), 'not_ldap'],
      // ldapts would read this entry for ever.
      [
        'an attribute list longer than its message',
        ({ id }) => message(id, der(0x64, der(4, Buffer.from('x')), Buffer.from([0x30, 0x7f]))),
        'not_ldap',
      ],
      ['a bind in the middle', ({ id }) => bindReply(id), 'not_ldap'],
      ['an unknown operation', ({ id }) => message(id, der(0x7a)), 'not_ldap'],
      ['the end of the connection', ({ id }) => [entry(id, 1), null], 'closed'],
    ])(async (_, listing, reason) => {
      expect(await list(listing)).toMatchObject({ reason, isClosed: true })
    })
    expect(offenders).toEqual([])
  })

  it('stops at so many users', async () => {
    const many: Answer = ({ id }) =>
      Buffer.concat([...[1, 2, 3].map((index) => entry(id, index)), doneReply(id, 0, '')])
    expect((await list(many, { users: 3 })).reason).toBe('nothing')
    expect((await list(many, { users: 2 })).reason).toBe('too_many')
  })

  it('stops at so many bytes, over all pages', async () => {
    const endless: Answer = ({ id, cookie }) =>
      Buffer.concat([entry(id, Number(cookie) + 1), doneReply(id, 0, String(Number(cookie) + 1))])
    const { reason, pages } = await list(endless, { listingBytes: 2_000 })
    expect(reason).toBe('too_large')
    expect(pages.length).toBeGreaterThan(3)
  })

  it('leaves out photos and other long values, whether asked for or not', async () => {
    const photo = Buffer.alloc(100_000, 0xff)
    const values = { jpegPhoto: photo, description: photo, cn: '李娜' }
    const { opened } = open(afterBind(({ id }) => Buffer.concat([entry(id, 1, values), doneReply(id, 0, '')])))
    const connection = await opened
    const users: unknown[] = []
    await connection.listUsers(QUERY, (page) => void users.push(...page))
    expect(users).toMatchObject([{ displayName: '李娜', description: '' }])
  })

  it('reads bytes that are no UTF-8 as replacement characters', async () => {
    const broken: Answer = ({ id }) =>
      Buffer.concat([entry(id, 1, { uid: Buffer.from([0x61, 0xff]) }), doneReply(id, 0, '')])
    expect((await list(broken)).pages).toEqual([['a\ufffd']])
  })

  it('an error of the page handler ends it as it is', async () => {
    const { opened } = open(afterBind(({ id }) => doneReply(id, 0, '')))
    const connection = await opened
    const failing = connection.listUsers(QUERY, () => Promise.reject(new Error('storage')))
    await expect(failing).rejects.toThrow('storage')
  })
})

describe('deadlines', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('a silent server ends the bind', async () => {
    const { opened, pipe } = open(() => [])
    const reason = reasonOf(opened)
    await vi.advanceTimersByTimeAsync(DIRECTORY.bindMs)
    expect(await reason).toBe('timeout')
    expect(pipe.isClosed).toBe(true)
  })

  it('one byte a second does not keep a page alive', async () => {
    let isListing = false
    let sent = 0
    const pipe = toPipe(
      afterBind(() => {
        isListing = true
        return []
      }),
    )
    const bytes = entry(3, 1, { description: 'x'.repeat(1_000) })
    const read = async () => {
      if (!isListing) return pipe.read()
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      sent++
      return bytes.subarray(sent - 1, sent)
    }
    const connection = await openDirectory(
      TARGET,
      ACCOUNT,
      async () => ({ ...pipe, read }),
      () => 0,
    )
    const reason = reasonOf(connection.listUsers(QUERY, () => {}))
    await vi.advanceTimersByTimeAsync(DIRECTORY.searchMs)
    expect(await reason).toBe('time_limit')
    expect(sent).toBeGreaterThan(50)
  })
})
