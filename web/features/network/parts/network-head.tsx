import { useNavigate } from 'react-router'
import { ERRORS } from '../../../../worker/contract/errors.ts'
import { networkApi } from '../../../../worker/contract/network.ts'
import { isPresent } from '../../../../worker/domain/router/presence.ts'
import { paths } from '../../../lib/paths.ts'
import { useCommand } from '../../../lib/use-endpoint.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { CopyText } from '../../../ui/copy-text.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { askDelete } from '../dialogs/ask-delete.ts'
import { levelName, typeName } from '../network-text.ts'
import type { Member, NetworkInfo } from '../projection.ts'
import { blockedBy, isShown, type NetworkRights } from '../rights.ts'
import { NetworkState } from './network-state.tsx'

interface NetworkHeadProps {
  readonly info: NetworkInfo
  readonly members: readonly Member[]
  readonly rights: NetworkRights
  readonly onRename: () => void
  readonly onAdd: () => void
  /** Its hub says that it is gone before the answer does. */
  readonly onDeleting: (isDeleting: boolean) => void
}

export function NetworkHead({ info, members, rights, onRename, onAdd, onDeleting }: NetworkHeadProps) {
  const navigate = useNavigate()
  const { network_number, network_name, network_config: quota } = info
  const resend = useCommand(networkApi.reSendConfig, [], { quiet: true })
  const isFull = quota.network_router_use >= quota.network_router_count

  const askAndDelete = useDelete({ info, members, onDeleting })
  const askAndResend = () => {
    const devices = members.filter(({ config }) => config.state !== 'none').length
    void confirm({
      title: '重新下发全部配置？',
      body: `将把最新配置重新下发到该组网的 ${devices} 台设备；离线设备会在上线后下发。`,
      verb: '重新下发',
      run: () => resend.trigger({ network_number }),
    })
  }
  return (
    <PageHeader
      title={network_name}
      trail={[{ label: '组网列表', to: paths.networks() }]}
      facts={
        <>
          <CopyText text={network_number} label="复制组网编号" />
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
            <ActionButton type="danger" blocked={blockedBy(rights.delete)} onClick={() => void askAndDelete()}>
              删除
            </ActionButton>
          )}
          {isShown(rights.resend) && (
            <ActionButton blocked={blockedBy(rights.resend)} onClick={askAndResend}>
              重新下发
            </ActionButton>
          )}
          {isShown(rights.rename) && (
            <ActionButton blocked={blockedBy(rights.rename)} onClick={onRename}>
              重命名
            </ActionButton>
          )}
          {isShown(rights.add) && (
            <ActionButton
              blocked={blockedBy(rights.add) ?? (isFull ? fullText(quota.network_router_count) : null)}
              onClick={onAdd}
            >
              添加成员
            </ActionButton>
          )}
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
  const remove = useCommand(networkApi.delete, [networkApi.lists, networkApi.config, networkApi.select], {
    quiet: true,
  })
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
    const online = members.filter(({ presence }) => isPresent(presence.state)).length
    const doomed = { network_number, network_name, member_count: members.length, online_count: online }
    if (await askDelete(doomed, run)) void navigate(paths.networks())
  }
}

const fullText = (limit: number): string => ERRORS.MEMBER_LIMIT_REACHED.msg.replace('{limit}', String(limit))
