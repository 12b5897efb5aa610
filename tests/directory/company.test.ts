import { inject } from 'vitest'
import { describeCompany } from '#tests/support/directory/company-suite.ts'
import { OPENLDAP } from '#tests/support/directory/openldap-driver.ts'

// Without an installed slapd these are skipped: npm test says what to install.
describeCompany('a company and its OpenLDAP', inject('company'), OPENLDAP)
