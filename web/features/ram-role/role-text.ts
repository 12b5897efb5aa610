import type { RoleAuth } from '#contract/ram-role/index.ts'

/** Networks that a role sees, for its row. */
export function scopeText({ easylink: { network } }: Pick<RoleAuth, 'easylink'>): string {
  if (network.number === null) return '全部组网'
  return network.number.length === 0 ? '无' : `${network.number.length} 个组网`
}
