import { Link } from 'react-router'
import { paths } from '#lib/paths.ts'
import { Panel } from '#ui/layout/panel.tsx'
import { useTotp } from '../api.ts'

const state = (enrolledTime: number | null) => (enrolledTime === null ? '两步验证未开启' : '两步验证已开启')

/** Panel of the account page: whether a second factor is on, with links to it and to the signed-in devices. */
export function SecurityPanel() {
  const { data } = useTotp()
  return (
    <Panel title="登录安全" actions={<Link to={paths.security}>管理两步验证与登录设备</Link>}>
      {data === undefined ? '两步验证与登录设备' : state(data.data.enrolled_time)}
    </Panel>
  )
}
