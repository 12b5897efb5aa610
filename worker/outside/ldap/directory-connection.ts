import { X509Certificate } from 'node:crypto'
import { DIRECTORY, type DirectoryLimits } from '#contract/ldap/limits.ts'
import type { DirectoryEntry, UserQuery, Attributes } from '#domain/ldap/directory-entry.ts'
import { type KindName, ROOT_ATTRIBUTES, kindOfRoot } from '#domain/ldap/directory-kind.ts'
import { type CertificateFacts, toFacts, parsePem } from './certificate-file.ts'
import { withDeadline } from './deadline.ts'
import { DirectoryError, failDirectory } from '#outside/tls/failure.ts'
import { LdapSession } from './session.ts'
import { type FoundEntry, type SearchContext, findEntry, listUsers } from './listing.ts'
import type { Dial, Pipe } from '#outside/tls/pipe.ts'
import { type TlsPipe, openTls } from '#outside/tls/tls-pipe.ts'
import { createChainCheck } from '#outside/tls/trust.ts'
import type { CheckChain } from '#outside/tls/peer-certificate.ts'
import { PUBLIC_ROOTS } from '#public-roots'

/* Connection to an LDAP directory: dial, TLS, bind, kind of server, and the searches of users. */

export interface DirectoryTarget {
  readonly host: string
  readonly port: number
  readonly security: 'none' | 'starttls' | 'ldaps'
  /** Name that the certificate must have; null for the host. */
  readonly certificateName: string | null
  readonly ca: CaChoice
}

export interface DirectoryAccount {
  readonly bindDn: string
  readonly password: string
}

type ServerCertificate = Pick<CertificateFacts, 'subject' | 'issuer' | 'notAfter'>

const PAGED_RESULTS = '1.2.840.113556.1.4.319'
const ATTRIBUTES = [...ROOT_ATTRIBUTES, 'supportedControl'] as const

/** Reads the kind of server from the root entry (RFC 4512 §5.1), and its paging. */
async function readServerKind(session: LdapSession) {
  const root = await readRoot(session)
  const controls = root.get('supportedcontrol') ?? []
  // Values beyond the limit are dropped, so only a short list proves that a control is missing.
  const isWhole = controls.length > 0 && controls.length < DIRECTORY.values
  const kind = kindOfRoot(root)
  return { kind, hasPaging: kind.hasPaging && (!isWhole || controls.includes(PAGED_RESULTS)) }
}

const HIDDEN = new Set(['access_denied', 'base_missing', 'base_invalid'])

async function readRoot(session: LdapSession): Promise<Attributes> {
  let root: Attributes = new Map()
  const filter = { kind: 'present', attribute: 'objectClass' } as const
  try {
    await session.search(
      { baseDn: '', scope: 'base', filter, attributes: ATTRIBUTES, sizeLimit: 1, page: null },
      (entry) => {
        root = entry.attributes
      },
    )
  } catch (error) {
    if (!(error instanceof DirectoryError && HIDDEN.has(error.reason))) throw error
  }
  return root
}

export interface DirectoryServer {
  readonly kind: KindName
  readonly tlsVersion: '1.2' | '1.3' | null
  readonly certificate: ServerCertificate | null
}

/** Open connection. Its calls run one after the other, and all throw a DirectoryError. */
export interface DirectoryConnection {
  readonly server: DirectoryServer
  /** Lists every entry in pages of 500. An incomplete listing throws and closes the connection. */
  listUsers(query: UserQuery, onPage: (users: readonly DirectoryEntry[]) => void | Promise<void>): Promise<void>
  /** Finds the entry with this id; null if there is none. */
  findEntry(query: UserQuery, id: string): Promise<FoundEntry | null>
  /**
   * Binds as this entry. False if name or password is wrong; an error if the server says more (bind_locked …). An empty
   * password is false without a call. The next listUsers or findEntry binds as the account again.
   */
  bindAs(dn: string, password: string): Promise<boolean>
  close(): void
}

/** Dials, encrypts, binds as the account and reads the kind of server. */
export async function openDirectory(
  target: DirectoryTarget,
  account: DirectoryAccount,
  dial: Dial,
  now: () => number,
  limits: DirectoryLimits = DIRECTORY,
): Promise<DirectoryConnection> {
  const pipe = toGuarded(await dial({ host: target.host, port: target.port }))
  try {
    const handshake = encrypt(pipe, target, now(), limits)
    const tls = await withDeadline(limits.handshakeMs, handshake, () => pipe.close('timeout'))
    const session = new LdapSession(tls ?? pipe, limits, tls !== null)
    await session.bind(account.bindDn, account.password)
    const { kind, hasPaging } = await readServerKind(session)
    const server = {
      kind: kind.name,
      tlsVersion: tls?.version ?? null,
      certificate: toCertificate(tls),
    }
    return createConnection(server, session, account, () => ({ session, kind, hasPaging, limits, now: now() }))
  } catch (error) {
    pipe.close('failed')
    throw error
  }
}

/** Encrypts the connection; null if the administrator chose no encryption. */
async function encrypt(
  pipe: Pipe,
  { host, security, certificateName, ca }: DirectoryTarget,
  now: number,
  limits: DirectoryLimits,
): Promise<TlsPipe | null> {
  if (security === 'none') return null
  const name = (certificateName ?? host).replace(/^\[(.*)\]$/, '$1')
  const checkChain = createCheck(ca, createChainCheck({ name, anchors: toAnchors(ca), now }))
  if (security === 'starttls') await new LdapSession(pipe, limits, false).startTls()
  return openTls(pipe, name, checkChain)
}

/** With public authorities a certificate of another one asks for its upload. */
const createCheck = (ca: CaChoice, check: CheckChain): CheckChain =>
  ca.kind === 'file'
    ? check
    : (chain) => {
        try {
          check(chain)
        } catch (error) {
          throw error instanceof DirectoryError && error.reason === 'wrong_ca'
            ? new DirectoryError('wrong_public_ca')
            : error
        }
      }

function toCertificate(tls: { readonly certificate: X509Certificate } | null): ServerCertificate | null {
  if (tls === null) return null
  const { subject, issuer, notAfter } = toFacts(tls.certificate)
  return { subject, issuer, notAfter }
}

function createConnection(
  server: DirectoryServer,
  session: LdapSession,
  account: DirectoryAccount,
  context: () => SearchContext,
): DirectoryConnection {
  let last: Promise<unknown> = Promise.resolve()
  let isAccount = true
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
  /** Runs a search as the account. A failed search closes the connection, because unread replies may remain. */
  const asAccount = <T>(work: () => Promise<T>): Promise<T> =>
    inTurn(async () => {
      try {
        if (!isAccount) await session.bind(account.bindDn, account.password)
        isAccount = true
        return await work()
      } catch (error) {
        session.close()
        throw error
      }
    })
  return {
    server,
    listUsers: (query, onPage) => asAccount(() => listUsers(context(), query, onPage)),
    findEntry: (query, id) => asAccount(() => findEntry(context(), query, id)),
    bindAs: (dn, password) =>
      inTurn(async () => {
        if (dn === '' || password === '') return false
        isAccount = false
        return isBound(session, dn, password)
      }),
    close: () => session.close(),
  }
}

async function isBound(session: LdapSession, dn: string, password: string): Promise<boolean> {
  try {
    await session.bind(dn, password)
    return true
  } catch (error) {
    if (error instanceof DirectoryError && error.reason === 'bind_refused') return false
    throw error
  }
}

/** Pipe whose errors become the failure of a lost connection. */
function toGuarded(pipe: Pipe): Pipe {
  const guard = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      return error instanceof DirectoryError ? Promise.reject(error) : failDirectory('closed')
    }
  }
  return { read: () => guard(pipe.read()), write: (bytes) => guard(pipe.write(bytes)), close: (why) => pipe.close(why) }
}

type CaChoice = { readonly kind: 'file'; readonly pem: string } | { readonly kind: 'public' }

/** Public roots, parsed once per isolate: 121 certificates take 8 ms. */
let publicRoots: readonly X509Certificate[] | undefined

/** Trust anchors of the chain: the uploaded CA, or the public roots. */
function toAnchors(ca: CaChoice): readonly X509Certificate[] {
  if (ca.kind === 'file') return parsePem(ca.pem) ?? failDirectory('certificate_invalid', {}, 'uploaded file')
  publicRoots ??= PUBLIC_ROOTS.map((der) => new X509Certificate(Buffer.from(der, 'base64')))
  return publicRoots
}
