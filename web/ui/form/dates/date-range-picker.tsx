import DatePicker from '@douyinfe/semi-ui/lib/es/datePicker'
import type { DateRangeProps } from './date-range.tsx'

export default function DateRangePicker({ value, onChange, disabled = false }: Omit<DateRangeProps, 'label' | 'id'>) {
  return (
    <DatePicker
      type="dateRange"
      format="yyyy-MM-dd"
      value={value === null ? [] : [value.from, value.to]}
      // The strings are calendar days; the Date objects would be midnights of the browser's own zone.
      onChange={(_, days) => {
        const [from, to] = Array.isArray(days) ? days : []
        onChange(typeof from === 'string' && from !== '' && typeof to === 'string' ? { from, to } : null)
      }}
      density="compact"
      placeholder={['开始日期', '结束日期']}
      disabled={disabled}
    />
  )
}
