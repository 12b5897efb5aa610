import type { DirectoryCounts, PlanKind } from '#contract/ldap/hub.ts'

export const COUNT_KINDS: readonly { readonly value: PlanKind; readonly label: string }[] = [
  { value: 'added', label: '新增' },
  { value: 'changed', label: '更新' },
  { value: 'disabled', label: '停用' },
  { value: 'enabled', label: '恢复启用' },
  { value: 'conflicts', label: '不能导入' },
  { value: 'removable', label: '可移除' },
]

/** Kinds that a run or a person writes. The other kinds are only counted. */
export const WRITTEN: readonly PlanKind[] = ['added', 'changed', 'disabled', 'enabled']

/** `新增 3，停用 1`; what is 0 is left out. */
export const countsText = (counts: DirectoryCounts, kinds: readonly PlanKind[]): string =>
  COUNT_KINDS.filter(({ value }) => kinds.includes(value) && counts[value] > 0)
    .map(({ value, label }) => `${label} ${counts[value]}`)
    .join('，')

/** Sentence after a failed run. Its written portions stay and can be undone. */
export function failedText(written: DirectoryCounts): string {
  const done = countsText(written, WRITTEN)
  return done === '' ? '成员未作改动' : `已${done}，其余成员未作改动，可在同步记录中撤销`
}
