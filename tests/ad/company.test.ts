import { inject } from 'vitest'
import { ACTIVE_DIRECTORY } from '#tests/support/directory/ad-driver.ts'
import { describeCompany } from '#tests/support/directory/company-suite.ts'

describeCompany('a company and its Active Directory', inject('ad'), ACTIVE_DIRECTORY)
