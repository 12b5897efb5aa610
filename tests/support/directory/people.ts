import { createHash } from 'node:crypto'
import { ldifLine } from './ldif.ts'

export const SUFFIX = 'dc=qiming,dc=test'
export const READER = { bindDn: `cn=reader,ou=services,${SUFFIX}`, password: 'reader-secret' } as const
export const ADMIN = { bindDn: `cn=admin,${SUFFIX}`, password: 'admin-secret' } as const
const DEPARTMENTS = ['研发部', '市场部', '财务部', '行政部', '离职人员'] as const

const SURNAMES = [
  ['王', 'wang'],
  ['李', 'li'],
  ['张', 'zhang'],
  ['刘', 'liu'],
  ['陈', 'chen'],
  ['杨', 'yang'],
  ['赵', 'zhao'],
  ['黄', 'huang'],
  ['周', 'zhou'],
  ['吴', 'wu'],
  ['欧阳', 'ouyang'],
] as const
const GIVEN = [
  ['伟', 'wei'],
  ['娜', 'na'],
  ['秀英', 'xiuying'],
  ['敏', 'min'],
  ['静', 'jing'],
  ['建国', 'jianguo'],
  ['磊', 'lei'],
  ['洋', 'yang'],
  ['艳', 'yan'],
  ['勇', 'yong'],
  ['军', 'jun'],
  ['子涵', 'zihan'],
  ['雨桐', 'yutong'],
] as const

export interface Person {
  readonly uid: string
  readonly dn: string
  readonly name: string
  readonly department: string
  readonly isDisabled: boolean
  readonly password: string
  readonly ldif: string
}

/** The same people every time. One in seven is disabled, in the way of the kind of directory that the entry resembles. */
export function toPerson(index: number): Person {
  const [surname, surnamePinyin] = SURNAMES[index % SURNAMES.length] ?? SURNAMES[0]
  const [given, givenPinyin] = GIVEN[index % GIVEN.length] ?? GIVEN[0]
  const uid = `${surnamePinyin}.${givenPinyin}.${String(index).padStart(5, '0')}`
  const department = DEPARTMENTS[index % DEPARTMENTS.length] ?? DEPARTMENTS[0]
  const name = `${surname}${given}`
  const dn = `uid=${uid},ou=${department},${SUFFIX}`
  const isDisabled = index % 7 === 3
  const password = `pw-${index}`
  const lines = [
    ldifLine('dn', dn),
    'objectClass: inetOrgPerson',
    ...stateLines(index, uid, isDisabled),
    `uid: ${uid}`,
    ldifLine('cn', name),
    ldifLine('sn', surname),
    ldifLine('displayName', name),
    ldifLine('description', `${department} ${index} 号员工`),
    `telephoneNumber: 0571-${88_000_000 + index}`,
    ...(index % 3 === 0 ? [] : [`mobile: 139${10_000_000 + index}`]),
    `userPassword: ${password}`,
  ]
  return { uid, dn, name, department, isDisabled, password, ldif: `${lines.join('\n')}\n` }
}

/** Of four entries two are like Active Directory's, one has a shadow account, one the password policy of OpenLDAP. */
function stateLines(index: number, uid: string, isDisabled: boolean): string[] {
  const kind = index % 4
  if (kind === 3) return isDisabled ? ['pwdAccountLockedTime: 000001010000Z'] : []
  if (kind === 2) {
    const account = ['objectClass: posixAccount', 'objectClass: shadowAccount']
    const numbers = [`uidNumber: ${10_000 + index}`, 'gidNumber: 100', `homeDirectory: /home/${uid}`]
    return [...account, ...numbers, `shadowExpire: ${isDisabled ? 1 : -1}`]
  }
  const guid = createHash('md5').update(uid).digest('base64')
  return [
    'objectClass: user',
    `sAMAccountName: ${uid}`,
    `userAccountControl: ${isDisabled ? 514 : 512}`,
    `objectGUID:: ${guid}`,
  ]
}

/** LDIF (RFC 2849) of the whole directory. */
export function toLdif(users: number): string {
  const entries = [
    ['dn: ' + SUFFIX, 'objectClass: dcObject', 'objectClass: organization', 'o: qiming', 'dc: qiming'],
    ...['services', ...DEPARTMENTS].map((unit) => [
      ldifLine('dn', `ou=${unit},${SUFFIX}`),
      'objectClass: organizationalUnit',
      ldifLine('ou', unit),
    ]),
    [
      `dn: ${READER.bindDn}`,
      'objectClass: organizationalRole',
      'objectClass: simpleSecurityObject',
      'cn: reader',
      `userPassword: ${READER.password}`,
    ],
    [
      `dn: cn=default,ou=services,${SUFFIX}`,
      'objectClass: person',
      'objectClass: pwdPolicy',
      'cn: default',
      'sn: default',
      'pwdAttribute: userPassword',
      'pwdLockout: TRUE',
      'pwdMaxFailure: 5',
    ],
  ].map((lines) => `${lines.join('\n')}\n`)
  const people = Array.from({ length: users }, (_, index) => toPerson(index).ldif)
  return [...entries, ...people].join('\n')
}
