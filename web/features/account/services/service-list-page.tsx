import Button from '@douyinfe/semi-ui/lib/es/button'
import { useNavigate } from 'react-router'
import { paths } from '#lib/paths.ts'
import { ListPage } from '#ui/table/list-page.tsx'
import { useListState } from '#ui/table/use-list-state.ts'
import { useServices } from '../api.ts'
import { SERVICE_COLUMNS } from './service-columns.tsx'

/** Services that the account has bought (account 2); they are renewed by a ticket. */
export function ServiceListPage() {
  const list = useListState({})
  const query = useServices(list)
  const navigate = useNavigate()
  return (
    <ListPage
      title="我的服务"
      label="服务"
      columns={SERVICE_COLUMNS}
      rowKey={(row) => `${row.kind} ${row.service_name}`}
      rowName={(row) => row.service_name}
      toRowActions={(row) => [{ label: '续费', to: paths.ticketAbout({ service_name: row.service_name }) }]}
      empty={{
        hint: '开通服务后，服务的数量和有效期会显示在这里。',
        action: (
          <Button theme="solid" type="primary" onClick={() => void navigate(paths.createTicket)}>
            联系服务商
          </Button>
        ),
      }}
      {...{ list, query }}
    />
  )
}
