import { configVersionText } from '#lib/format/config-version.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { paths } from '#lib/paths.ts'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { ConfigBadge, PresenceBadge } from '#ui/member/member-badges.tsx'
import { PageActions } from '#ui/layout/page-actions.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { useOpenDialog } from './router-dialogs.tsx'
import type { MemberStates } from '../member-states.ts'
import { sharedBlocked, useMemberRights } from '../rights.ts'
import type { RouterInfo } from '../router-text.ts'
import { useRouterActions } from './use-router-actions.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'
import type { PresenceView } from '#contract/kernel/protocol.ts'
import { shownSince } from '#contract/kernel/states.ts'
import { SinceText, TimeText } from '#ui/layout/text/time-text.tsx'

interface RouterHeadProps {
  readonly info: RouterInfo
  readonly states: MemberStates
  readonly isStale: boolean
}

/** Name, state with its reason, configuration, and what can be done. */
export function RouterHead({ info, states, isStale }: RouterHeadProps) {
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
        </>
      }
      actions={
        <PageActions
          subject={memberLabel(info)}
          main={[]}
          beside={[
            { label: '有效路由', onSelect: () => open('routes') },
            ...(rights.edit ? [{ label: '备注', blocked: sharedBlocked(info), onSelect: () => open('note') }] : []),
          ]}
          more={actions}
        />
      }
    />
  )
}

/** Time that a member has been in its state; for one that is offline, since when it was not seen any more. */
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
