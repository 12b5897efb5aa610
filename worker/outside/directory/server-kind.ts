import { DIRECTORY } from '#contract/ldap/directory-limits.ts'
import type { Attributes } from '#domain/ldap/attributes.ts'
import { DirectoryError, failDirectory } from './failure.ts'
import type { LdapSession } from './ldap/session.ts'

export type ServerKind = 'ad' | 'openldap' | '389ds' | 'other'

const ACTIVE_DIRECTORY = '1.2.840.113556.1.4.800' // supportedCapabilities (MS-ADTS §3.1.1.3.4.3)
const PAGED_RESULTS = '1.2.840.113556.1.4.319'
const ATTRIBUTES = ['objectClass', 'vendorName', 'supportedCapabilities', 'supportedControl'] as const

/** Reads the root entry (RFC 4512 §5.1); servers that hide it are of kind `other`. */
export async function readServerKind(session: LdapSession): Promise<ServerKind> {
  const root = await readRoot(session)
  const controls = root.get('supportedcontrol') ?? []
  // Values beyond the limit are not kept: only a short list says that a control is missing.
  const isWhole = controls.length > 0 && controls.length < DIRECTORY.values
  if (isWhole && !controls.includes(PAGED_RESULTS)) return failDirectory('paging_unsupported')
  return toServerKind(root)
}

export function toServerKind(root: Attributes): ServerKind {
  const has = (name: string, pattern: RegExp) => (root.get(name) ?? []).some((value) => pattern.test(value))
  if (root.get('supportedcapabilities')?.includes(ACTIVE_DIRECTORY)) return 'ad'
  if (has('vendorname', /389 Project|Fedora|Red Hat/i)) return '389ds'
  return has('objectclass', /OpenLDAProotDSE/i) ? 'openldap' : 'other'
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
