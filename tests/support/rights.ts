import { PERMISSIONS, type Permission } from '#contract/kernel/permissions.ts'

/** Networks that a role is limited to: none of them, one that is listed, or no limit. */
export type Scope = 'all' | 'listed' | 'none'

const FLAG_SETS: readonly (readonly [name: string, flags: readonly Permission[]])[] = [
  ['no flag', []],
  ...PERMISSIONS.map((flag) => [flag, [flag]] as const),
  ['every flag', PERMISSIONS],
]

/** Each flag alone, none and all of them, by each scope: rows of a table. */
export const RIGHTS = FLAG_SETS.flatMap(([name, flags]) =>
  (['all', 'listed', 'none'] as const).map((scope) => [name, scope, flags] as const),
)

/** The networks of such a role. */
export const networksOf = (scope: Scope, listed: string): readonly string[] | null =>
  ({ all: null, listed: [listed], none: [] })[scope]
