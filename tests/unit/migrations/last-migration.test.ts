import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { LAST_MIGRATION } from '#db/schema/last-migration.ts'

it('the release names the last migration that it needs', () => {
  expect(LAST_MIGRATION).toBe(readdirSync('migrations').toSorted().at(-1))
})
