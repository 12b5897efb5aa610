import type { DirectoryDriver, Employee } from './driver.ts'
import { DEPARTMENTS } from './driver.ts'
import { addEntry, deleteEntry, joinRecords, ldifLine, modifyEntry, renameEntry } from './ldif.ts'
import { READER, SUFFIX } from './people.ts'

const baseOf = (company: string) => `ou=${company},${SUFFIX}`
const unitOf = ({ company, department }: Employee) => `ou=${department},${baseOf(company)}`
const rdnOf = ({ username }: Employee) => `uid=${username}`
const dnOf = (employee: Employee) => `${rdnOf(employee)},${unitOf(employee)}`
const addUnit = (dn: string, name: string) => addEntry(dn, ['objectClass: organizationalUnit', ldifLine('ou', name)])

/** The password policy's lock and the expiry of a shadow account. */
const DISABLED = [{ pwdAccountLockedTime: '000001010000Z' }, { shadowExpire: '1' }] as const
const ENABLED = [{ pwdAccountLockedTime: null }, { shadowExpire: '-1' }] as const

/** Accounts that may read less than a company has: pages of 5, and 15 entries of a listing. */
export const LIMITED = {
  page: { username: `cn=page,ou=services,${SUFFIX}`, password: 'page-secret' },
  total: { username: `cn=total,ou=services,${SUFFIX}`, password: 'total-secret' },
} as const

/** Rules of the server (slapd.conf): what those accounts may read, and no password without encryption. */
export const COMPANY_RULES = [
  'security simple_bind=128',
  `limits dn.exact="${LIMITED.page.username}" size.pr=5`,
  `limits dn.exact="${LIMITED.total.username}" size.prtotal=15`,
]

export const addLimited = (): string =>
  joinRecords(
    ...Object.entries(LIMITED).map(([name, { username, password }]) =>
      addEntry(username, [
        'objectClass: organizationalRole',
        'objectClass: simpleSecurityObject',
        ldifLine('cn', name),
        ldifLine('userPassword', password),
      ]),
    ),
  )

export const OPENLDAP: DirectoryDriver = {
  kind: 'openldap',
  account: { username: READER.bindDn, password: READER.password },
  scope: (company) => ({ base_dn: baseOf(company), user_filter: '' }),
  addCompany: (company) =>
    joinRecords(
      addUnit(baseOf(company), company),
      ...DEPARTMENTS.map((department) => addUnit(`ou=${department},${baseOf(company)}`, department)),
    ),
  addEmployee: (employee) =>
    addEntry(dnOf(employee), [
      'objectClass: inetOrgPerson',
      'objectClass: shadowAccount',
      ldifLine('uid', employee.username),
      ldifLine('cn', employee.displayName),
      ldifLine('sn', '王'),
      ldifLine('displayName', employee.displayName),
      ldifLine('mobile', employee.phone),
      ldifLine('userPassword', employee.password),
    ]),
  rename: (before, after) =>
    joinRecords(
      renameEntry(dnOf(before), rdnOf(after)),
      modifyEntry(dnOf({ ...before, username: after.username }), { displayName: after.displayName }),
    ),
  move: (before, after) => renameEntry(dnOf(before), rdnOf(before), unitOf(after)),
  disable: (employee) => modifyEntry(dnOf(employee), DISABLED[employee.disabledBy]),
  enable: (employee) => modifyEntry(dnOf(employee), ENABLED[employee.disabledBy]),
  remove: (employee) => deleteEntry(dnOf(employee)),
}
