import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mapLimit } from '#db/concurrency.ts'
import { oneInTurn } from '#tests/support/depth.ts'
import { TenantSequence } from './tenant-sequence.ts'

/**
 * `close` deletes an account with everything it owns, `lose` its network and routers, both without a notice; `late`
 * delivers such notices, `restore` puts back all rows of the backup, `hand over` gives rows and hubs to the other account.
 */
const action = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('create 0', 'create 1') },
  { weight: 4, arbitrary: fc.constantFrom('connect', 'send') },
  { weight: 3, arbitrary: fc.constantFrom('delete', 'lose', 'close 0', 'close 1') },
  { weight: 4, arbitrary: fc.constantFrom('late', 'refresh', 'evict', 'watch', 'backup', 'restore', 'hand over') },
)

/** Something to leak, before anything else happens. */
const START = ['create 0', 'connect', 'send'] as const
const SEQUENCES = 40
const BATCHES = 4
const AT_ONCE = 10

describe('hubs.md, Names and places · accounts whose row ids come again', () => {
  const sequences = fc.sample(fc.array(action, { minLength: 4, maxLength: 12 }), {
    numRuns: SEQUENCES,
    seed: 20_261_122,
  })
  const size = SEQUENCES / BATCHES
  it.each(oneInTurn(Array.from({ length: BATCHES }, (_, batch) => batch * size)))(
    'read nothing of each other from hubs of routers, networks and accounts (sequences from %i)',
    { timeout: 180_000 },
    async (from) => {
      const results = await mapLimit(sequences.slice(from, from + size), AT_ONCE, async (script) => {
        const sequence = new TenantSequence(sequences.indexOf(script))
        for (const what of [...START, ...script]) await sequence.actions[what]()
        return { script, leaks: await sequence.finish() }
      })
      const read = results.map((result) => (result.status === 'fulfilled' ? result.value : { leaks: [result.reason] }))
      expect(read.filter(({ leaks }) => leaks.length > 0)).toEqual([])
    },
  )
})
