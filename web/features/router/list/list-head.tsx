import Button from '@douyinfe/semi-ui/lib/es/button'
import { Link, useNavigate } from 'react-router'
import type { Output } from '#contract/kernel/endpoint.ts'
import { DIRECTORY_OFF, LDAP_SYNC } from '#contract/ldap/limits.ts'
import type { routerApi } from '#contract/router/index.ts'
import { ROUTER_TYPE, type RouterType } from '#contract/router/limits.ts'
import { countText } from '#lib/format/format-unit.ts'
import { paths } from '#lib/paths.ts'
import { ActionButton } from '#ui/layout/buttons/action-button.tsx'
import { PageActions } from '#ui/layout/page-actions.tsx'
import { useReportedFailure } from '#ui/state/failure-strip.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { saveExport, type useRouterQuantity } from '../api.ts'
import type { MemberRights } from '../rights.ts'
import { useOpenDialog } from './router-list-context.ts'
import styles from './router-list.module.css'
import { useDirectoryStatus } from './api.ts'

/* Head of the list of members: counts with quota, and actions that add or export members. */

export type Quantity = Output<typeof routerApi.quantity>

export const listStates = (type: RouterType, quantity: Quantity | undefined) =>
  type === ROUTER_TYPE.hardware ? quantity?.hardware_states : quantity?.software_states

interface MemberCountsProps {
  readonly type: RouterType
  readonly query: ReturnType<typeof useRouterQuantity>
  readonly canEditSign: boolean
}

/** Number of members of the shown kind, and its quota (network 2). The filter shows the numbers by state. */
export function MemberCounts({ type, query: { data, error, mutate }, canEditSign }: MemberCountsProps) {
  const open = useOpenDialog()
  useReportedFailure(data === undefined ? error : undefined, mutate)
  if (data === undefined) return <span aria-busy={error === undefined}>—</span>
  const { hardware, software, software_max, sign } = data.data
  if (type === ROUTER_TYPE.hardware) {
    return (
      <span>
        硬件成员 <strong>{countText(hardware)}</strong>
      </span>
    )
  }
  return (
    <>
      <span className={software > 0 && software >= software_max ? styles.full : undefined}>
        软件成员{' '}
        <strong>
          {countText(software)} / {countText(software_max)}
        </strong>
      </span>
      {software >= software_max && (
        <Link to={paths.requestService('software')}>
          {software_max === 0 ? '尚未开通，联系服务商' : '提交工单扩容'}
        </Link>
      )}
      <span>
        账号后缀 {sign === '' ? '未设置' : `@${sign}`}
        {canEditSign && (
          <Button className={styles.inline} theme="borderless" size="small" onClick={() => open('sign')}>
            {sign === '' ? '设置' : '修改'}
          </Button>
        )}
      </span>
    </>
  )
}

interface ListActionsProps {
  readonly rights: MemberRights
  readonly isHardware: boolean
  readonly add: RowAction
  readonly onDelete: () => void
}

/** Actions of the list; files and the directory are for software members only. */
export const ListActions = ({ isHardware, ...props }: ListActionsProps) =>
  isHardware ? props.rights.add && <HardwareActions add={props.add} /> : <SoftwareActions {...props} />

function HardwareActions({ add }: Pick<ListActionsProps, 'add'>) {
  const open = useOpenDialog()
  return (
    <PageActions
      subject="硬件成员"
      main={[add]}
      beside={[{ label: '批量添加', onSelect: () => open('claimMany') }]}
      more={[]}
    />
  )
}

function SoftwareActions({ rights, add, onDelete }: Omit<ListActionsProps, 'isHardware'>) {
  const open = useOpenDialog()
  const navigate = useNavigate()
  const directory = useDirectoryStatus(rights.seeDirectory).data
  return (
    <PageActions
      subject="软件成员"
      main={rights.add ? [add] : []}
      beside={[
        ...(rights.add ? [{ label: '批量添加', blocked: add.blocked ?? null, onSelect: () => open('batch') }] : []),
        ...(directory !== undefined && directory.data.sync_mode !== LDAP_SYNC.automatic
          ? [
              {
                label: '同步用户',
                blocked: directory.enable === 1 ? null : DIRECTORY_OFF,
                onSelect: () => void navigate(paths.directoryUsers),
              },
            ]
          : []),
      ]}
      more={[
        ...(rights.edit ? [{ label: '导出', onSelect: saveExport }] : []),
        ...(rights.delete ? [{ label: '批量删除', danger: true, onSelect: onDelete }] : []),
      ]}
    />
  )
}

export function AddButton({ action: { label, blocked = null, onSelect } }: { readonly action: RowAction }) {
  return (
    <ActionButton theme="solid" blocked={blocked} onClick={() => onSelect?.()}>
      {label}
    </ActionButton>
  )
}
