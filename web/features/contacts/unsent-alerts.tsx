import Button from '@douyinfe/semi-ui/lib/es/button'

interface UnsentAlertsProps {
  readonly name: string
  readonly count: number
  readonly onOpen: () => void
}

/** Number of alerts that did not go out to a contact; nothing where all did. */
export function UnsentAlerts({ name, count, onOpen }: UnsentAlertsProps) {
  if (count === 0) return null
  return (
    <Button
      theme="borderless"
      type="warning"
      size="small"
      aria-label={`${name} 有 ${count} 条告警未发送`}
      onClick={onOpen}
    >
      {count} 条告警未发送
    </Button>
  )
}
