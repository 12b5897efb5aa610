import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { RESULT, ERRORS } from '../../../../worker/contract/errors.ts'
import { routerApi } from '../../../../worker/contract/router.ts'
import { isPresent } from '../../../../worker/domain/router/presence.ts'
import { ApiError } from '../../../lib/call.ts'
import { toast } from '../../../lib/toast.ts'
import { useCommand, useRefresh } from '../../../lib/use-endpoint.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { CopyText } from '../../../ui/copy-text.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { askDelete } from '../dialogs/ask-delete.ts'
import { NoteDialog } from '../dialogs/note-dialog.tsx'
import type { MemberStates } from '../member-states.ts'
import { useMemberRights } from '../rights.ts'
import { LISTS_PATH, type RouterInfo } from '../router-text.ts'
import { ConfigLight, PresenceLight } from '../../../ui/member-lights.tsx'

const REPORT_MS = 2_000 // a device that is asked answers within this time
const NO_NETWORK = '该成员未加入任何组网，没有可下发的配置'

interface RouterHeadProps {
  readonly info: RouterInfo
  readonly states: MemberStates
  readonly isStale: boolean
}

export function RouterHead({ info, states, isStale }: RouterHeadProps) {
  const { router_name, note, network } = info
  const rights = useMemberRights()
  const [isNoting, setNoting] = useState(false)
  const report = useReport(router_name)
  const resend = useCommand(routerApi.resend, [], { onMissing: 'stay' })
  const askAndDelete = useDelete(info, isPresent(states.presence.state))
  return (
    <>
      <PageHeader
        title={note || router_name}
        trail={[{ label: '成员列表', to: LISTS_PATH }]}
        facts={
          <>
            <CopyText text={router_name} label="复制序列号" />
            <PresenceLight presence={states.presence} isStale={isStale} />
            {states.config.state !== 'none' && <ConfigLight config={states.config} isStale={isStale} />}
          </>
        }
        actions={
          <>
            {rights.delete && (
              <ActionButton type="danger" onClick={() => void askAndDelete()}>
                删除
              </ActionButton>
            )}
            {rights.edit && <ActionButton onClick={() => setNoting(true)}>修改备注</ActionButton>}
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
                blocked={isPresent(states.presence.state) ? null : ERRORS.ROUTER_OFFLINE.msg}
                loading={report.isAsking}
                onClick={() => void report.ask()}
              >
                刷新状态
              </ActionButton>
            )}
          </>
        }
      />
      {isNoting && <NoteDialog member={info} onClose={() => setNoting(false)} />}
    </>
  )
}

/** The answer only says that the device was asked; what it reports is read a moment later. */
function useReport(router_name: string) {
  const { trigger, isMutating } = useCommand(routerApi.updateStatus, [], { onMissing: 'stay' })
  const refresh = useRefresh()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const ask = async () => {
    try {
      await trigger({ router_name })
      clearTimeout(timer.current)
      timer.current = setTimeout(() => refresh([routerApi.info]), REPORT_MS)
    } catch (error) {
      if (error instanceof ApiError && error.code === RESULT.doFirst) toast.error(error.msg)
    }
  }
  return { ask, isAsking: isMutating }
}

function useDelete({ router_name, network }: RouterInfo, isOnline: boolean) {
  const remove = useCommand(routerApi.delete, [routerApi.lists, routerApi.quantity], { quiet: true })
  const navigate = useNavigate()
  return async () => {
    const networkNames = network.map(({ network_name }) => network_name)
    const doomed = { router_name, isHardware: true, isOnline, networkCount: network.length, networkNames }
    const isGone = await askDelete(doomed, () => remove.trigger({ router_name }))
    if (isGone) void navigate(LISTS_PATH, { replace: true })
  }
}
