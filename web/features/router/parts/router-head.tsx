import { configVersionText } from '../../../lib/config-version.ts'
import { memberLabel } from '../../../lib/member-label.ts'
import { paths } from '../../../lib/paths.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { CopyText } from '../../../ui/copy-text.tsx'
import { ConfigBadge, PresenceBadge } from '../../../ui/member-badges.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { MoreActions } from '../../../ui/row-actions.tsx'
import { useOpenDialog } from '../dialogs/router-dialogs.tsx'
import type { MemberStates } from '../member-states.ts'
import { sharedBlocked, useMemberRights } from '../rights.ts'
import type { RouterInfo } from '../router-text.ts'
import { useRouterActions } from '../use-router-actions.ts'
import { PresenceSince } from './presence-since.tsx'

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
          <PresenceBadge presence={presence} isStale={isStale} />
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
        <>
          <ActionButton onClick={() => open('routes')}>有效路由</ActionButton>
          {rights.edit && (
            <ActionButton blocked={sharedBlocked(info)} onClick={() => open('note')}>
              备注
            </ActionButton>
          )}
          {actions.length > 0 && <MoreActions actions={actions} subject={memberLabel(info)} />}
        </>
      }
    />
  )
}
