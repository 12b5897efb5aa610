import { expect, it } from 'vitest'
import { Refusal, violation } from '../../../worker/contract/errors.ts'
import { encodeRefusal, parseGuardFailure } from '../../../worker/db/guard.ts'

it.each(['总部', "it's ''quoted''", 'a"b\\c', '}!', '!TOKEN_BAD{}!', '!FAULT{"a":1}!', '$.{}[]', '\u2028\u2029\u0000'])(
  'a refusal that contains %j round-trips',
  (name) => {
    const found = violation('MEMBER_TWICE', { name })
    const raw = new Error(`D1_ERROR: bad JSON path: '${encodeRefusal(found).replaceAll("'", "''")}': SQLITE_ERROR`)
    const error = parseGuardFailure(raw)
    expect(error).toBeInstanceOf(Refusal)
    expect((error as Refusal).violation).toEqual(found)
  },
)
