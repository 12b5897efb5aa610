/** Imported members that the associated network did not take, and the sentence that says why. */
export interface Outside {
  readonly uuids: readonly string[]
  readonly reason: string
}

/** The same as counts: of a run, the reason of its first. */
export interface OutsideCount {
  readonly outside: number
  readonly reason: string
}
export const NOBODY_OUTSIDE: OutsideCount = { outside: 0, reason: '' }

export const countOutside = (parts: readonly (Outside | null | undefined)[]): OutsideCount =>
  parts.reduce<OutsideCount>(
    (sum, part) => (part ? { outside: sum.outside + part.uuids.length, reason: sum.reason || part.reason } : sum),
    NOBODY_OUTSIDE,
  )

/** `2 个未加入组网：…`, none where everybody has joined. */
export const outsideText = ({ outside, reason }: OutsideCount): readonly string[] =>
  outside === 0 ? [] : [`${outside} 个未加入组网：${reason}`]
