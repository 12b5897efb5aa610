import { BindRequest, ExtendedRequest, type Message, PagedResultsControl, SearchRequest, UnbindRequest } from 'ldapts'
import type { DirectoryLimits } from '#contract/ldap/limits.ts'
import type { UserFilter } from '#domain/ldap/user-filter.ts'
import { TAG, readHeader } from '#outside/tls/ber-reader.ts'
import { withDeadline } from './deadline.ts'
import { failDirectory } from '#outside/tls/failure.ts'
import { type Pipe, ByteQueue } from '#outside/tls/pipe.ts'
import {
  type LdapEntry,
  type LdapResponse,
  type LdapResult,
  readResponse,
  orNotLdap,
  checkBind,
  checkSearch,
  checkStartTls,
} from './response.ts'
import { EncodedFilter } from './search-filter.ts'

/* Session of the LDAP protocol over a pipe: bind, StartTLS and search. */

const START_TLS = '1.3.6.1.4.1.1466.20037' // RFC 4511 §4.14.1
const HEADER_MAX = 6
const TLS_ALERT = 0x15

export interface Search {
  readonly baseDn: string
  readonly scope: 'base' | 'sub'
  readonly filter: UserFilter
  readonly attributes: readonly string[]
  /** Most entries of the whole answer; 0 leaves the limit to the server. */
  readonly sizeLimit: number
  /** Page to read: it begins after this cookie. Null for no paging. */
  readonly page: { readonly size: number; readonly cookie: Buffer } | null
}

/** LDAP version 3, one request at a time. ldapts encodes requests; our own strict reader decodes replies. */
export class LdapSession {
  private readonly pipe: Pipe
  private readonly limits: DirectoryLimits
  private readonly queue = new ByteQueue()
  private lastId = 0
  private received = 0
  private readonly isEncrypted: boolean
  private isAnswered = false

  constructor(pipe: Pipe, limits: DirectoryLimits, isEncrypted: boolean) {
    this.pipe = pipe
    this.limits = limits
    this.isEncrypted = isEncrypted
  }

  /** Simple bind. An empty password is never sent: it would be a successful anonymous bind (RFC 4513 §5.1.2). */
  async bind(dn: string, password: string): Promise<void> {
    if (dn === '' || password === '') return failDirectory('bind_refused', {}, 'empty')
    const messageId = this.nextId()
    const request = new BindRequest({ messageId, dn, password })
    checkBind(await this.within(this.limits.bindMs, this.call(request, 'bind'), 'timeout'))
  }

  /** Sends StartTLS. Bytes behind the reply are unencrypted and end the session (CVE-2011-0411). */
  async startTls(): Promise<void> {
    const request = new ExtendedRequest({ messageId: this.nextId(), oid: START_TLS })
    checkStartTls(await this.call(request, 'extended'))
    if (this.queue.length > 0) failDirectory('tls_failed', {}, 'data behind the reply to StartTLS')
  }

  /** Makes one search or reads one page; returns the cookie of the next page. */
  async search(search: Search, onEntry: (entry: LdapEntry) => void): Promise<Buffer | null> {
    const wanted = new Set(search.attributes.map((name) => name.toLowerCase()))
    this.received = search.page && search.page.cookie.length > 0 ? this.received : 0
    const run = async (): Promise<LdapResult> => {
      const request = this.toRequest(search)
      await this.send(request)
      for (;;) {
        const response = await this.receive(request.messageId, wanted)
        if (response.kind === 'entry') onEntry(response)
        else if (response.kind === 'result') return expectOperation(response, 'done')
      }
    }
    const result = await this.within(this.limits.searchMs, run(), 'time_limit')
    checkSearch(result)
    return result.cookie
  }

  close(): void {
    const end = () => this.pipe.close()
    this.send(new UnbindRequest({ messageId: this.nextId() })).then(end, end)
  }

  private toRequest({ baseDn, scope, filter, attributes, sizeLimit, page }: Search): SearchRequest {
    return new SearchRequest({
      messageId: this.nextId(),
      baseDN: baseDn,
      scope,
      filter: new EncodedFilter(filter),
      attributes: [...attributes],
      sizeLimit,
      timeLimit: this.limits.serverSeconds,
      controls: page
        ? [new PagedResultsControl({ critical: true, value: { size: page.size, cookie: page.cookie } })]
        : [],
    })
  }

  private nextId(): number {
    this.lastId++
    return this.lastId
  }

  private within<T>(ms: number, work: Promise<T>, reason: 'timeout' | 'time_limit'): Promise<T> {
    return withDeadline(ms, work, () => this.pipe.close('timeout'), reason)
  }

  private async call(request: Message, operation: 'bind' | 'extended'): Promise<LdapResult> {
    await this.send(request)
    return expectOperation(await this.receive(request.messageId, new Set()), operation)
  }

  private send(message: Message): Promise<void> {
    return this.pipe.write(message.write())
  }

  private async receive(id: number, wanted: ReadonlySet<string>): Promise<LdapResponse> {
    const response = readResponse(await this.message(), wanted)
    if (response.id === 0) return failDirectory('closed', {}, 'notice of disconnection')
    return response.id === id ? response : failDirectory('not_ldap', {}, 'reply to nothing')
  }

  /** Reads one whole message. */
  private async message(): Promise<Buffer> {
    for (;;) {
      const [first] = this.queue.length > 0 ? this.queue.peek(1) : []
      if (first !== undefined && first !== TAG.sequence) failDirectory(first === TLS_ALERT ? 'tls_needed' : 'not_ldap')
      const known = this.queue.peek(Math.min(this.queue.length, HEADER_MAX))
      const header = orNotLdap(() => readHeader(known, 0, known.length))
      if (header && header.length > this.limits.messageBytes) failDirectory('too_large', {}, 'message')
      const size = header ? header.start + header.length : HEADER_MAX
      if (header && this.queue.length >= size) return this.queue.take(size)
      do await this.fill()
      while (header && this.queue.length < size)
    }
  }

  private async fill(): Promise<void> {
    const bytes = await this.pipe.read()
    // Some TLS servers close the connection after an unencrypted request; no LDAP server does.
    if (bytes === null) return failDirectory(this.isAnswered || this.isEncrypted ? 'closed' : 'tls_needed')
    this.isAnswered = true
    this.received += bytes.byteLength
    if (this.received > this.limits.listingBytes) failDirectory('too_large', {}, 'listing')
    this.queue.push(bytes)
  }
}

function expectOperation(response: LdapResponse, operation: 'bind' | 'done' | 'extended'): LdapResult {
  const isExpected = response.kind === 'result' && response.operation === operation
  return isExpected ? response : failDirectory('not_ldap', {}, 'operation')
}
