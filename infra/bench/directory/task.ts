/** What the bench asks of the directory client inside workerd. */
export interface Task {
  readonly kind: 'list' | 'signIn'
  /** Through the tunnel of a device (tunnel.ts) instead of a socket of its own. */
  readonly isTunnelled?: boolean
  readonly port: number
  readonly security: 'none' | 'ldaps'
  readonly ca: string
  readonly account: { readonly bindDn: string; readonly password: string }
  readonly baseDn: string
  /** Of sign-ins. */
  readonly people: readonly { readonly dn: string; readonly password: string }[]
}
