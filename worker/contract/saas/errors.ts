import { type ErrorEntry, RESULT } from '#contract/kernel/result.ts'

/** Refusals about SaaS devices and bandwidth pools: part of the catalogue in errors.ts. */
export const SAAS_ERRORS = {
  SAAS_NOT_FOUND: { code: RESULT.notFound, msg: 'SaaS设备不存在或已被移除' },
  SAAS_EXPIRED: { code: RESULT.invalid, msg: '设备服务已到期，无法修改带宽，请续费后重试', field: 'bandwidth' },
  SAAS_NOT_SHARED: { code: RESULT.invalid, msg: '仅共享版设备可以修改带宽，如需调整请联系服务商', field: 'bandwidth' },
  BANDWIDTH_TOO_LOW: { code: RESULT.invalid, msg: '带宽不能小于等于0 Mbs', field: 'bandwidth' },
  BANDWIDTH_TOO_HIGH: { code: RESULT.invalid, msg: '带宽不能大于最大值：{max} Mbs', field: 'bandwidth' },
  BANDWIDTH_OUT_OF_RANGE: {
    code: RESULT.invalid,
    msg: '带宽数据不能小于等于 0 Mbs，且不能大于最大值 {max} Mbs',
    field: 'bandwidth',
  },
  BANDWIDTH_CHANGED: { code: RESULT.invalid, msg: '设备的带宽规则刚刚发生变化，请刷新后重试' },
  POOL_NOT_FOUND: { code: RESULT.notFound, msg: '带宽池不存在或已被删除' },
  POOL_UNKNOWN: { code: RESULT.invalid, msg: '该账号没有这个带宽池，请先创建', field: 'pool' },
  POOL_TOO_SMALL: { code: RESULT.invalid, msg: '带宽池的最大值不能小于其中设备的带宽{bandwidth} Mbs', field: 'max' },
  SAAS_NO_DEVICE: { code: RESULT.invalid, msg: '设备不存在或尚未被账号绑定，请核对序列号', field: 'serial' },
  HISTORY_TOO_OLD: { code: RESULT.invalid, msg: '最多查询最近180天', field: 'start_date' },
} as const satisfies Record<string, ErrorEntry>
