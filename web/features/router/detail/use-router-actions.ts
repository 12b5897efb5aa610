import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { ROUTER_ERRORS } from '#contract/router/errors.ts'
import { RESULT } from '#contract/kernel/result.ts'
import { isOnline } from '#domain/health/member.ts'
import { ApiError } from '#lib/call/call.ts'
import { paths } from '#lib/paths.ts'
import { toast } from '#lib/toast/toast.ts'
import type { RowAction } from '#ui/table/row-actions.tsx'
import { useDeleteRouter, useRefreshRouters, useRequestReport, useResend } from '../api.ts'
import { confirmDelete } from '../list/confirm-delete.ts'
import { useOpenDialog } from './router-dialogs.tsx'
import type { MemberStates } from '../member-states.ts'
import { sharedBlocked, useMemberRights } from '../rights.ts'
import type { RouterInfo } from '../router-text.ts'
import { statusAction, useSetStatus } from '../list/use-set-status.ts'

const REPORT_MS = 2_000 // a device reports within this time
const NO_NETWORK = '该成员未加入任何组网，没有可下发的配置'
const IN_FLIGHT = '正在执行，请稍候'

/** Actions that the role may do with a router, under ⋯ of its page. */
export function useRouterActions(info: RouterInfo, { presence }: MemberStates): readonly RowAction[] {
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
    const isDeleted = await confirmDelete(target, (sent) => remove.trigger({ router_name, ...sent }))
    if (isDeleted) void navigate(paths.routers(), { replace: true })
  }
}
