import Button from '@douyinfe/semi-ui/lib/es/button'
import { useNavigate } from 'react-router'
import { paths } from '#lib/paths.ts'
import { useMonitorConfig } from './api.ts'
import { useMonitorRights } from './rights.ts'

/** Leads from an empty record to the tab that starts monitoring, while it is off. */
export function StartMonitor() {
  const { start } = useMonitorRights()
  const config = useMonitorConfig().data?.data
  const navigate = useNavigate()
  if (!start || config?.enable !== 0) return null
  return (
    <Button theme="solid" onClick={() => void navigate(paths.monitor)}>
      启动监控
    </Button>
  )
}
