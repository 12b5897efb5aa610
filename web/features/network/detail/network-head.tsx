import { useNavigate } from 'react-router'
import type { NetworkHealth } from '#contract/kernel/health.ts'
import { isOnline } from '#domain/health/member.ts'
import { paths } from '#lib/paths.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { PageActions } from '#ui/layout/page-actions.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { InfoPopover } from '#ui/layout/text/info-popover.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { HealthBadge } from '#ui/state/status-badge.tsx'
import { useDeleteNetwork, useResendToAll } from '../api.ts'
import { confirmDelete } from '../list/confirm-delete.ts'
import { ExpireDay } from '../list/network-state.tsx'
import { healthFacts, levelName, statusName, typeName } from '../network-text.ts'
import type { Member, NetworkInfo } from '../live-network.ts'
import { type NetworkRights, popActions, toActions } from '../rights.ts'
import styles from './network-detail.module.css'
import { useDialogActions } from './network-dialogs.tsx'
import { useOpenDialog } from '../settings/dialog-context.ts'
import type { PrepareRollout } from './progress-notices.tsx'

/* Header of the network page: health, facts and actions. */

interface NetworkHeadProps {
  readonly info: NetworkInfo
  readonly members: readonly Member[]
  readonly health: NetworkHealth
  readonly isStale: boolean
  readonly rights: NetworkRights
  readonly prepare: PrepareRollout
  /** The hub may report the deletion before the reply arrives. */
  readonly onDeleting: (isDeleting: boolean) => void
}

export function NetworkHead({ info, health, isStale, ...rest }: NetworkHeadProps) {
  const facts = healthFacts(health)
  return (
    <PageHeader
      title={info.network_name}
      trail={[{ label: '组网列表', to: paths.networks() }]}
      facts={
        <>
          <HealthBadge health={health} stale={isStale} />
          {health.cause !== '' && <span>{health.cause}</span>}
          <BlockedSegments count={info.blocked_count} />
          {facts.slice(0, -1).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
          <span className={styles.last}>
            {facts.at(-1)}
            <InfoPopover label="组网信息">
              <Catalogue info={info} />
            </InfoPopover>
          </span>
        </>
      }
      actions={<NetworkActions info={info} {...rest} />}
    />
  )
}

/** Number of segments that the prefix rows block, with the effective routes behind it. */
function BlockedSegments({ count }: { readonly count: number }) {
  const open = useOpenDialog()
  if (count === 0) return null
  return (
    <button type="button" className="nl-link" onClick={() => open('routes')}>
      {count} 个网段被阻断
    </button>
  )
}

/** Facts of the network that do not change from day to day. */
function Catalogue({ info }: { readonly info: NetworkInfo }) {
  return (
    <Facts
      facts={[
        { label: '组网编号', value: <CopyText text={info.network_number} label="复制组网编号" /> },
        { label: '状态', value: statusName(info.network_status) },
        { label: '组网类型', value: typeName(info.network_type) },
        { label: '服务等级', value: levelName(info.network_service) },
        ...(info.fr_name === '' ? [] : [{ label: 'POP资源', value: <PopResource info={info} /> }]),
        { label: '创建时间', value: <TimeText at={info.create_time} /> },
      ]}
    />
  )
}

const PopResource = ({ info: { fr_name, network_fr } }: { readonly info: NetworkInfo }) => (
  <>
    {fr_name} {network_fr !== null && <ExpireDay days={network_fr.expire_day} />}
  </>
)

function NetworkActions({ info, members, rights, prepare, onDeleting }: Omit<NetworkHeadProps, 'health' | 'isStale'>) {
  const navigate = useNavigate()
  const { network_number, network_name } = info
  const { addMember = [], settings = [], ...others } = useDialogActions(info, rights)
  const resendToAll = useResend({ info, members, prepare })
  const deleteNetwork = useDelete({ info, members, onDeleting })
  const manage = () => void navigate(paths.editNetwork(network_number))
  return (
    <PageActions
      subject={network_name}
      main={toActions(rights.manage, { label: '管理成员', onSelect: manage })}
      beside={[...addMember, ...settings]}
      more={[
        ...Object.values(others).flat(),
        ...popActions(rights.set, network_number, info.network_fr?.expire_day ?? null),
        ...toActions(rights.resend, { label: '重新下发全部', onSelect: resendToAll }),
        { label: '提交工单', to: paths.ticketAbout({ network_number }) },
        ...toActions(rights.delete, { label: '删除', danger: true, onSelect: () => void deleteNetwork() }),
      ]}
    />
  )
}

function useResend({ info, members, prepare }: Pick<NetworkHeadProps, 'info' | 'members' | 'prepare'>) {
  const { network_number, network_name } = info
  const resend = useResendToAll()
  return () => {
    const devices = members.filter(({ config }) => config.state !== 'none').length
    void confirm({
      title: `重新下发“${network_name}”的全部配置？`,
      body: `将把最新配置重新下发到该组网的 ${devices} 台设备；离线设备会在上线后下发。`,
      verb: '重新下发',
      run: async () => {
        const onSent = prepare('resent')
        await resend.trigger({ network_number })
        onSent()
      },
    })
  }
}

function useDelete({ info, members, onDeleting }: Pick<NetworkHeadProps, 'info' | 'members' | 'onDeleting'>) {
  const { network_number, network_name } = info
  const navigate = useNavigate()
  const remove = useDeleteNetwork()
  const run = async () => {
    onDeleting(true)
    try {
      await remove.trigger({ network_number })
    } catch (error) {
      onDeleting(false)
      throw error
    }
  }
  return async () => {
    const online = members.filter(({ presence }) => isOnline(presence)).length
    const target = { network_number, network_name, member_count: members.length, online_count: online }
    if (await confirmDelete(target, run)) void navigate(paths.networks())
  }
}
