import { inject } from 'vitest'
import { ACTIVE_DIRECTORY } from '#tests/support/directory/ad-driver.ts'
import { describeRefusals } from '#tests/support/directory/refusal-suite.ts'

const ad = inject('ad')

describeRefusals('Active Directory refuses', ad, ACTIVE_DIRECTORY, { otherCa: ad.otherCa })
