import type { DirectoryDriver, Employee } from './driver.ts'
import { DEPARTMENTS } from './driver.ts'
import { addEntry, deleteEntry, joinRecords, ldifLine, modifyEntry, renameEntry } from './ldif.ts'
import { AD } from './samba.ts'

const baseOf = (company: string) => `OU=${company},${AD.suffix}`
const unitOf = ({ company, department }: Employee) => `OU=${department},${baseOf(company)}`
const rdnOf = ({ username }: Employee) => `CN=${username}`
const dnOf = (employee: Employee) => `${rdnOf(employee)},${unitOf(employee)}`
const addUnit = (dn: string) => addEntry(dn, ['objectClass: organizationalUnit'])
const toPassword = (text: string) => `unicodePwd:: ${Buffer.from(`"${text}"`, 'utf16le').toString('base64')}`

/** An account's flag and the time at which it expires: in 2021, or never. */
const DISABLED = [{ userAccountControl: '514' }, { accountExpires: '132539328000000000' }] as const
const ENABLED = [{ userAccountControl: '512' }, { accountExpires: '0' }] as const

/** The whole domain is searched; Administrator, Guest and krbtgt are critical objects of it. */
export const ACTIVE_DIRECTORY: DirectoryDriver = {
  kind: 'ad',
  account: { username: AD.accounts[0], password: AD.password },
  scope: (company) => ({
    base_dn: AD.suffix,
    user_filter: `(&(objectCategory=person)(objectClass=user)(!(isCriticalSystemObject=TRUE))(company=${company}))`,
  }),
  addCompany: (company) =>
    joinRecords(
      addUnit(baseOf(company)),
      ...DEPARTMENTS.map((department) => addUnit(`OU=${department},${baseOf(company)}`)),
    ),
  addEmployee: (employee) =>
    addEntry(dnOf(employee), [
      'objectClass: user',
      ldifLine('sAMAccountName', employee.username),
      ldifLine('displayName', employee.displayName),
      ldifLine('company', employee.company),
      ldifLine('mobile', employee.phone),
      'userAccountControl: 512',
      toPassword(employee.password),
    ]),
  rename: (before, after) =>
    joinRecords(
      renameEntry(dnOf(before), rdnOf(after)),
      modifyEntry(dnOf({ ...before, username: after.username }), {
        sAMAccountName: after.username,
        displayName: after.displayName,
      }),
    ),
  move: (before, after) => renameEntry(dnOf(before), rdnOf(before), unitOf(after)),
  disable: (employee) => modifyEntry(dnOf(employee), DISABLED[employee.disabledBy]),
  enable: (employee) => modifyEntry(dnOf(employee), ENABLED[employee.disabledBy]),
  remove: (employee) => deleteEntry(dnOf(employee)),
}
