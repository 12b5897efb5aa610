/** Departments of a company: organizational units. */
export const DEPARTMENTS = ['研发部', '市场部'] as const

/** Somebody in a company's directory. */
export interface Employee {
  readonly company: string
  readonly username: string
  readonly displayName: string
  readonly department: (typeof DEPARTMENTS)[number]
  readonly phone: string
  readonly password: string
  /** Index into the two ways in which a server disables an account. */
  readonly disabledBy: 0 | 1
}

export const toEmployee = (company: string, index: number): Employee => ({
  company,
  username: `${company}.${String(index).padStart(2, '0')}`,
  displayName: `王伟 ${index}`,
  department: DEPARTMENTS[index % 2]!,
  phone: `138${10_000_000 + index}`,
  password: `Pw-2026-${index}`,
  disabledBy: index % 2 === 0 ? 0 : 1,
})

/** Data model of one kind of server. Changes are LDIF (RFC 2849), which its administrator sends. */
export interface DirectoryDriver {
  readonly kind: 'openldap' | 'ad'
  readonly account: { readonly username: string; readonly password: string }
  /** Search scope that contains the people of one company, and nobody else. */
  scope(company: string): { readonly base_dn: string; readonly user_filter: string }
  addCompany(company: string): string
  addEmployee(employee: Employee): string
  rename(before: Employee, after: Employee): string
  /** To the department of `after`. */
  move(before: Employee, after: Employee): string
  disable(employee: Employee): string
  enable(employee: Employee): string
  remove(employee: Employee): string
}

/** A server that tests inside workerd reach and change. */
export interface CompanyServer {
  readonly port: number
  readonly ldapsPort: number
  readonly ca: string
  /**
   * Takes POSTs. `/`: LDIF with changetype as the body. `/relay`: answers the port of a new relay in front of LDAPS.
   * `/cut/<port>`: ends the connections of that relay.
   */
  readonly controlUrl: string
}
