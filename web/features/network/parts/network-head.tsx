import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { isOnline } from '../../../../worker/domain/health/member.ts'
import { judgeNetwork } from '../../../../worker/domain/health/network.ts'
import { paths } from '../../../lib/paths.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { CopyText } from '../../../ui/copy-text.tsx'
import { HealthBadge } from '../../../ui/status-badge.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { useDeleteNetwork, useResendToAll } from '../api.ts'
import { confirmDelete } from '../dialogs/confirm-delete.ts'
import { DialogButtons } from '../dialogs/network-dialogs.tsx'
import { levelName, typeName } from '../network-text.ts'
import type { Link, Member, NetworkInfo } from '../projection.ts'
import { blockedBy, isShown, type NetworkRights } from '../rights.ts'
import type { PrepareRollout } from '../use-rollout.ts'
import { NetworkState } from './network-state.tsx'

interface NetworkHeadProps {
  readonly info: NetworkInfo
  readonly members: readonly Member[]
  readonly links: readonly Link[]
  /** The live channel is down: the last known health is shown. */
  readonly isStale: boolean
  readonly rights: NetworkRights
  readonly prepare: PrepareRollout
  /** The hub may report the deletion before the reply arrives. */
  readonly onDeleting: (isDeleting: boolean) => void
}

export function NetworkHead({ info, members, links, isStale, rights, prepare, onDeleting }: NetworkHeadProps) {
  const navigate = useNavigate()
  const { network_number, network_name } = info
  const resend = useResendToAll()
  // By the rule of the lists, over what this page shows: they cannot contradict each other.
  const { health } = useMemo(() => judgeNetwork(members, links), [members, links])

  const deleteNetwork = useDelete({ info, members, onDeleting })
  const resendToAll = () => {
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
  return (
    <PageHeader
      title={network_name}
      trail={[{ label: '组网列表', to: paths.networks() }]}
      facts={
        <>
          <CopyText text={network_number} label="复制组网编号" />
          <HealthBadge health={health} stale={isStale} />
          {health.cause !== '' && <span>{health.cause}</span>}
          <NetworkState status={info.network_status} />
          <span>{typeName(info.network_type)}</span>
          <span>{levelName(info.network_service)}</span>
          {info.fr_name !== '' && <span>POP资源 {info.fr_name}</span>}
          <span>
            创建于 <TimeText at={info.create_time} />
          </span>
        </>
      }
      actions={
        <>
          {isShown(rights.delete) && (
            <ActionButton type="danger" blocked={blockedBy(rights.delete)} onClick={() => void deleteNetwork()}>
              删除
            </ActionButton>
          )}
          {isShown(rights.resend) && (
            <ActionButton blocked={blockedBy(rights.resend)} onClick={resendToAll}>
              重新下发
            </ActionButton>
          )}
          <DialogButtons info={info} rights={rights} />
          {isShown(rights.manage) && (
            <ActionButton
              theme="solid"
              type="primary"
              blocked={blockedBy(rights.manage)}
              onClick={() => void navigate(paths.editNetwork(network_number))}
            >
              管理成员
            </ActionButton>
          )}
        </>
      }
    />
  )
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
