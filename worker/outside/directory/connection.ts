import type { DirectoryEntry, UserQuery } from '../../domain/ldap/directory-entry.ts'
import { failDirectory } from './failure.ts'
import type { Dial } from './pipe.ts'

export interface DirectoryTarget {
  readonly host: string
  readonly port: number
  readonly security: 'none' | 'starttls' | 'ldaps'
  /** Name that the certificate must carry; null: the host. */
  readonly certificateName: string | null
  readonly ca: { readonly kind: 'file'; readonly pem: string } | { readonly kind: 'public' }
}

export interface DirectoryAccount {
  readonly bindDn: string
  readonly password: string
}

export interface ServerCertificate {
  readonly subject: string
  readonly issuer: string
  readonly notAfter: number
}

export type ServerKind = 'ad' | 'openldap' | '389ds' | 'other'

export interface DirectoryServer {
  readonly kind: ServerKind
  readonly tlsVersion: '1.2' | '1.3' | null
  readonly certificate: ServerCertificate | null
}

/** Calls wait for each other: one connection does one thing at a time. All throw a DirectoryError. */
export interface DirectoryConnection {
  readonly server: DirectoryServer
  /** Every entry, page by page (500); complete or it throws. */
  listUsers(query: UserQuery, onPage: (users: readonly DirectoryEntry[]) => void | Promise<void>): Promise<void>
  /** The distinguished name of the entry with this id, or null. */
  findDn(query: UserQuery, id: string): Promise<string | null>
  /**
   * Binds as that entry; false where name or password is wrong, an error where the server says more (bind_locked …). An
   * empty password is refused here. The next listUsers or findDn binds as the account again.
   */
  bindAs(dn: string, password: string): Promise<boolean>
  close(): void
}

/** Dials, encrypts and binds as the account. */
export async function openDirectory(
  target: DirectoryTarget,
  account: DirectoryAccount,
  dial: Dial,
  now: () => number,
): Promise<DirectoryConnection> {
  void [target, account, dial, now]
  return failDirectory('unreachable')
}
