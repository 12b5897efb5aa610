import { JOB } from '#contract/network/limits.ts'

/* Data in the result of a job: its text, and its bounds, which the device and its hub both check. */

/** Reason beside a result whose data was dropped. */
const DATA_DROPPED = '结果数据过大，未保留'

/** JSON text of data; null if it is too long, or too deep for the database to read. */
export function toDataText(data: unknown): string | null {
  if (!isWithinLevels(data, JOB.dataLevels)) return null
  const text = JSON.stringify(data)
  return text.length <= JOB.dataMax ? text : null
}

/** Ends at the limit, so that no depth overflows the stack. */
const isWithinLevels = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((each) => isWithinLevels(each, levels - 1)))

export const withDataDropped = (reason: string): string => (reason === '' ? DATA_DROPPED : `${reason}；${DATA_DROPPED}`)
