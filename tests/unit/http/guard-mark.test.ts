import { expect, it } from 'vitest'
import { violation } from '../../../worker/contract/errors.ts'
import { GuardError, asGuardError, mark } from '../../../worker/db/guard.ts'

it.each(['总部', "it's ''quoted''", 'a"b\\c', '}!', '!TOKEN_BAD{}!', '!FAULT{"a":1}!', '$.{}[]', '\u2028\u2029\u0000'])(
  'a refusal that names %j comes back as it was',
  (name) => {
    const found = violation('MEMBER_TWICE', { name })
    const told = new Error(`D1_ERROR: bad JSON path: '${mark(found).replaceAll("'", "''")}': SQLITE_ERROR`)
    const error = asGuardError(told)
    expect(error).toBeInstanceOf(GuardError)
    expect((error as GuardError).violation).toEqual(found)
  },
)
