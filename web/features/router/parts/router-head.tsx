import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { RESULT, ERRORS } from '../../../../worker/contract/errors.ts'
import { isOnline } from '../../../../worker/domain/health/member.ts'
import { memberLabel } from '../../../lib/member-label.ts'
import { paths } from '../../../lib/paths.ts'
import { ApiError } from '../../../lib/call.ts'
import { toast } from '../../../lib/toast.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { CopyText } from '../../../ui/copy-text.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { useDeleteRouter, useRefreshRouters, useRequestReport, useResend } from '../api.ts'
import { confirmDelete } from '../dialogs/confirm-delete.ts'
import { useOpenDialog } from '../dialogs/router-dialogs.tsx'
import type { MemberStates } from '../member-states.ts'
import { useMemberRights } from '../rights.ts'
import { useSetStatus } from '../use-set-status.ts'
import { type RouterInfo } from '../router-text.ts'
import { ConfigBadge, PresenceBadge } from '../../../ui/member-badges.tsx'

const REPORT_MS = 2_000 // a device reports within this time
const NO_NETWORK = '该成员未加入任何组网，没有可下发的配置'

interface RouterHeadProps {
  readonly info: RouterInfo
  readonly states: MemberStates
  readonly isStale: boolean
}

export function RouterHead({ info, states, isStale }: RouterHeadProps) {
  const { router_name, network } = info
  const rights = useMemberRights()
  const open = useOpenDialog()
  const report = useReport(router_name)
  const resend = useResend()
  const setStatus = useSetStatus()
  const deleteRouter = useDelete(info, isOnline(states.presence))
  return (
    <>
      <PageHeader
        title={memberLabel(info)}
        trail={[{ label: '成员列表', to: paths.routers() }]}
        facts={
          <>
            <CopyText text={router_name} label="复制序列号" />
            <PresenceBadge presence={states.presence} isStale={isStale} />
            {states.config.state !== 'none' && <ConfigBadge config={states.config} isStale={isStale} />}
          </>
        }
        actions={
          <>
            {rights.delete && (
              <ActionButton type="danger" onClick={() => void deleteRouter()}>
                删除
              </ActionButton>
            )}
            {rights.edit && (
              <ActionButton onClick={() => void setStatus(info)}>{info.status === 1 ? '停用' : '启用'}</ActionButton>
            )}
            {rights.edit && <ActionButton onClick={() => open('note')}>修改备注</ActionButton>}
            {rights.edit && (
              <ActionButton
                blocked={network.length === 0 ? NO_NETWORK : null}
                loading={resend.isMutating}
                onClick={() => void resend.trigger({ router_name }).catch(() => {})}
              >
                重新下发
              </ActionButton>
            )}
            {rights.edit && (
              <ActionButton
                theme="solid"
                type="primary"
                blocked={isOnline(states.presence) ? null : ERRORS.ROUTER_OFFLINE.msg}
                loading={report.isAsking}
                onClick={() => void report.ask()}
              >
                刷新状态
              </ActionButton>
            )}
          </>
        }
      />
    </>
  )
}

/** The reply only confirms the request to the device; its report is read a moment later. */
function useReport(router_name: string) {
  const { trigger, isMutating } = useRequestReport()
  const refresh = useRefreshRouters()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const ask = async () => {
    try {
      await trigger({ router_name })
      clearTimeout(timer.current)
      timer.current = setTimeout(refresh.info, REPORT_MS)
    } catch (error) {
      if (error instanceof ApiError && error.code === RESULT.doFirst) toast.error(error.msg)
    }
  }
  return { ask, isAsking: isMutating }
}

function useDelete({ router_name, network }: RouterInfo, isOnline: boolean) {
  const remove = useDeleteRouter()
  const navigate = useNavigate()
  return async () => {
    const networkNames = network.map(({ network_name }) => network_name)
    const target = { router_name, isHardware: true, isOnline, networkCount: network.length, networkNames }
    const isDeleted = await confirmDelete(target, () => remove.trigger({ router_name }))
    if (isDeleted) void navigate(paths.routers(), { replace: true })
  }
}
