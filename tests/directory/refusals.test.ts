import { beforeAll, inject } from 'vitest'
import { changeServer } from '#tests/support/directory/company.ts'
import { LIMITED, OPENLDAP, addLimited } from '#tests/support/directory/openldap-driver.ts'
import { describeRefusals } from '#tests/support/directory/refusal-suite.ts'

const company = inject('company')

beforeAll(async () => {
  if (company) await changeServer(company, addLimited())
})

// Without an installed slapd these are skipped: npm test says what to install.
describeRefusals('OpenLDAP refuses', company, OPENLDAP, {
  otherCa: inject('tls').authorities.wrongCa,
  staff: 20,
  checks: [
    ['an account that may not read such pages', LIMITED.page, 'LDAP_SIZE_LIMIT'],
    ['an account that may not read so many', LIMITED.total, 'LDAP_SIZE_LIMIT'],
  ],
})
