import type { ConfigView, PresenceView } from '#contract/kernel/protocol.ts'

/** The parts of a row that are pushed live. */
export interface MemberStates {
  readonly presence: PresenceView
  readonly config: ConfigView
}

/** States pushed since the rows were read, by router_name. They are newer than any row. */
export type PushedStates = ReadonlyMap<string, MemberStates>

export const NOTHING_PUSHED: PushedStates = new Map()

export function addStates(
  pushed: PushedStates,
  changed: readonly (MemberStates & { readonly router_name: string })[],
): PushedStates {
  const next = new Map(pushed)
  for (const { router_name, presence, config } of changed) next.set(router_name, { presence, config })
  return next
}

/** Rows without a pushed state keep their identity. */
export function withStates<Row extends MemberStates & { readonly router_name: string }>(
  rows: readonly Row[],
  pushed: PushedStates,
): readonly Row[] {
  if (!rows.some(({ router_name }) => pushed.has(router_name))) return rows
  return rows.map((row) => ({ ...row, ...pushed.get(row.router_name) }))
}
