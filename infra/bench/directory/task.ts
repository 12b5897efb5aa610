/** What the bench asks of the directory client inside workerd. */
export interface Task {
  readonly kind: 'list' | 'signIn'
  readonly port: number
  readonly security: 'none' | 'ldaps'
  readonly ca: string
  readonly account: { readonly bindDn: string; readonly password: string }
  readonly baseDn: string
  /** Of sign-ins. */
  readonly people: readonly { readonly dn: string; readonly password: string }[]
}

export interface Measured {
  readonly count: number
  readonly seconds: number
  readonly cpuSeconds: number
}
