/* Permissions: rights of a session, access of endpoints, and the policy that joins them. */

/** Rights of a session. The access token carries them, so a check needs no read. */
export interface Grants {
  /** `main` is the account holder, `ram` a sub-account. */
  readonly kind: 'main' | 'ram'
  /** Permissions of a sub-account's role (directory 3); a main account holds them all. */
  readonly flags: readonly Permission[]
  /** Network numbers a role is limited to, or null for all of the account's. */
  readonly networks: readonly string[] | null
}

/** Permissions that a role may grant. Every role sees members and networks. */
export const PERMISSIONS = [
  'router:create',
  'router:edit',
  'router:delete',
  'network:create',
  'network:edit',
  'network:delete',
  'monitor:view',
  'monitor:create',
  'monitor:edit',
  'monitor:delete',
] as const
export type Permission = (typeof PERMISSIONS)[number]

/**
 * Callers that an endpoint allows. A permission admits the main account and sub-accounts that have it. The suffix `:all`
 * excludes roles that are limited to networks, because the call concerns the whole account.
 */
export type Access =
  | 'public'
  | 'session' // any sign-in
  | 'main' // the account holder
  | 'ram' // a sub-account
  | 'client' // a software member signed in at the client application
  | `operator:${OperatorScope}` // a token of the operator with this scope
  | 'monitor:edit:all'
  | 'session:all'
  | 'router:edit:all'
  | Permission

/** Scopes of operator tokens; each includes those before it. */
export const OPERATOR_SCOPES = ['read', 'support', 'admin'] as const
export type OperatorScope = (typeof OPERATOR_SCOPES)[number]

export const isOperatorAccess = (access: Access): access is `operator:${OperatorScope}` =>
  access.startsWith('operator:')

/** Scope that a call of the operator needs. */
export const scopeOf = (access: `operator:${OperatorScope}`): OperatorScope =>
  access.slice('operator:'.length) as OperatorScope

export const includesScope = (held: OperatorScope, needed: OperatorScope): boolean =>
  OPERATOR_SCOPES.indexOf(held) >= OPERATOR_SCOPES.indexOf(needed)

/** Access that a role limited to networks never has (network 6). It may add members straight into its networks. */
const NOT_FOR_LIMITED: readonly Access[] = ['network:create']

/** Permissions that count only without a limit to networks. */
const WHOLE_ACCOUNT = { 'monitor:edit:all': 'monitor:edit', 'router:edit:all': 'router:edit' } as const
const isOfWholeAccount = (access: Access): access is keyof typeof WHOLE_ACCOUNT => Object.hasOwn(WHOLE_ACCOUNT, access)

/** The one policy for guard, menu, disabled buttons and the matrix test. Unknown access is denied. */
export function isAllowed(access: Access, grants: Grants | null): boolean {
  if (access === 'public') return true
  if (isOperatorAccess(access) || access === 'client' || grants === null) return false
  if (access === 'session') return true
  if (access === 'main' || access === 'ram') return grants.kind === access
  if (grants.kind === 'main') return true
  if (access === 'session:all') return grants.networks === null
  if (isOfWholeAccount(access)) return grants.networks === null && grants.flags.includes(WHOLE_ACCOUNT[access])
  if (NOT_FOR_LIMITED.includes(access) && grants.networks !== null) return false
  return grants.flags.includes(access)
}

/** True if the grants include the network. A role limited to networks sees and changes only those. */
export function coversNetwork(grants: Grants, networkNumber: string): boolean {
  return grants.networks === null || grants.networks.includes(networkNumber)
}

/** True if the grants include a router by one of its networks. Only unlimited roles see a router without networks. */
export const coversAnyNetwork = (grants: Grants, networkNumbers: readonly string[]): boolean =>
  grants.networks === null || networkNumbers.some((number) => coversNetwork(grants, number))
