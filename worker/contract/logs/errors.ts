import { type ErrorEntry, RESULT } from '#contract/kernel/result.ts'

/** Refusals of logs and their export. */
export const LOG_ERRORS = {
  LOG_ROWS_MAX: { code: RESULT.invalid, msg: '仅显示前{limit}条记录，请缩小时间范围后查看', field: 'page' },
  EXPORT_EMPTY: { code: RESULT.invalid, msg: '数据为空，请重新筛选数据！' },
  EXPORT_SEARCH_MAX: {
    code: RESULT.invalid,
    msg: '时间范围内的记录超过{limit}条，无法全部搜索，请缩小时间范围',
  },
  EXPORT_ROWS_MAX: { code: RESULT.invalid, msg: '数据超过{limit}条，请缩小时间范围' },
  EXPORT_TOO_LARGE: { code: RESULT.invalid, msg: '导出的文件超过{limit}MB，请缩小时间范围' },
  EXPORT_RUNNING: { code: RESULT.tooOften, msg: '当前账号正在导出数据，请等待其完成后重试' },
} as const satisfies Readonly<Record<string, ErrorEntry>>
