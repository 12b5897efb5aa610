import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import type { PresenceView } from '#contract/kernel/protocol.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { shownSince } from '#contract/kernel/states.ts'
import { ROUTER_ERRORS } from '#contract/router/errors.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import { isOnline } from '#domain/health/member.ts'
import { ApiError } from '#lib/call/call.ts'
import { configVersionText } from '#lib/format/config-version.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { paths } from '#lib/paths.ts'
import { toast } from '#lib/toast/toast.ts'
import { PageActions } from '#ui/layout/page-actions.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { SinceText, TimeText } from '#ui/layout/text/time-text.tsx'
import { ConfigBadge, PresenceBadge } from '#ui/member/member-badges.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { useDeleteRouter, useRefreshRouters, useRequestReport, useResend } from '../api.ts'
import { confirmDelete } from '../list/confirm-delete.ts'
import { statusAction, useSetStatus } from '../list/use-set-status.ts'
import type { MemberStates } from '../member-states.ts'
import { sharedBlocked, useMemberRights } from '../rights.ts'
import type { RouterInfo } from '../router-text.ts'
import { useOpenDialog } from './router-dialogs.tsx'

/** Header of the page of one router: name, state, facts and actions. */
export function RouterHead({ info, states, isStale }: { info: RouterInfo; states: MemberStates; isStale: boolean }) {
  const open = useOpenDialog()
  const rights = useMemberRights()
  const actions = useRouterActions(info, states)
  const { presence, config } = states
  return (
    <PageHeader
      title={memberLabel(info)}
      trail={[{ label: '成员列表', to: paths.routers() }]}
      facts={
        <>
          <CopyText text={info.router_name} label="复制序列号" />
          <PresenceBadge presence={presence} type={ROUTER_TYPE.hardware} isStale={isStale} />
          <PresenceSince presence={presence} />
          {presence.reason !== '' && <span>{presence.reason}</span>}
          {config.state !== 'none' && (
            <>
              <ConfigBadge config={config} isStale={isStale} />
              <span>{configVersionText(config)}</span>
              {config.reason !== '' && <span>{config.reason}</span>}
            </>
          )}
          {info.certificate !== '' && <span>{info.certificate}</span>}
        </>
      }
      actions={
        <PageActions
          subject={memberLabel(info)}
          main={[]}
          beside={rights.edit ? [{ label: '备注', blocked: sharedBlocked(info), onSelect: () => open('note') }] : []}
          more={actions}
        />
      }
    />
  )
}

/** Start of the state of a member; for an offline member the time at which it was last seen. */
function PresenceSince({ presence }: { readonly presence: PresenceView }) {
  const since = shownSince(presence)
  if (since === null) return null
  if (presence.state !== 'offline')
    return (
      <span>
        已持续 <SinceText at={since} />
      </span>
    )
  return (
    <span>
      离线自 <TimeText at={since} />
      ，已持续 <SinceText at={since} />
    </span>
  )
}

const REPORT_MS = 2_000 // a device reports within this time
const NO_NETWORK = '该成员未加入任何组网，没有可下发的配置'
const IN_FLIGHT = '正在执行，请稍候'

function useRouterActions(info: RouterInfo, { presence }: MemberStates): readonly RowAction[] {
  const { router_name, network } = info
  const rights = useMemberRights()
  const open = useOpenDialog()
  const report = useReport(router_name)
  const resend = useResend()
  const setStatus = useSetStatus()
  const remove = useDelete(info, isOnline(presence))
  const blocked = sharedBlocked(info)
  const changes: readonly RowAction[] = [
    { label: '静态路由', blocked, onSelect: () => open('staticRoutes') },
    { label: '接入地址', blocked, onSelect: () => open('endpoints') },
    {
      label: '刷新状态',
      blocked: report.isAsking ? IN_FLIGHT : isOnline(presence) ? null : ROUTER_ERRORS.ROUTER_OFFLINE.msg,
      onSelect: () => void report.ask(),
    },
    {
      label: '重新下发',
      blocked: resend.isMutating ? IN_FLIGHT : network.length === 0 ? NO_NETWORK : null,
      onSelect: () => void resend.trigger({ router_name }).catch(() => {}),
    },
    statusAction(info, setStatus),
  ]
  return [
    ...(rights.edit ? changes : []),
    ...(rights.edit && rights.add ? [{ label: '更换设备', blocked, onSelect: () => open('replace') }] : []),
    { label: '提交工单', to: paths.ticketAbout({ router_name }) },
    ...(rights.delete ? [{ label: '删除', danger: true, blocked, onSelect: () => void remove() }] : []),
  ]
}

/** Asks the device for a report. The reply confirms only the request; the report is read a moment later. */
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

function useDelete({ router_name, note, network }: RouterInfo, isOnline: boolean) {
  const remove = useDeleteRouter()
  const navigate = useNavigate()
  return async () => {
    const networkNames = network.map(({ network_name }) => network_name)
    const target = { router_name, note, isHardware: true, isOnline, networkCount: network.length, networkNames }
    const isDeleted = await confirmDelete(target, (sent) => remove.trigger({ router_name, ...sent }))
    if (isDeleted) void navigate(paths.routers(), { replace: true })
  }
}
