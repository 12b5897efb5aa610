import { useGrants } from '#lib/session/session.ts'
import { ActionButton } from '#ui/layout/buttons/action-button.tsx'
import { SideDrawer } from '#ui/dialog/dialog.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { ErrorState, NothingYet } from '#ui/state/states.tsx'
import { useVersions } from '../api.ts'
import { VersionList } from './version-list.tsx'
import { blockedBy, isShown, networkRights } from '../rights.ts'
import { useRestoreVersion } from './use-restore-version.tsx'
import type { NetworkDialogProps } from '../settings/dialog-context.ts'

/** 历史: the last versions of what is set, each of which can be set again. */
export function VersionsDrawer({ info, onSaved, onClose }: NetworkDialogProps) {
  const { network_number } = info
  const query = useVersions(network_number)
  const right = networkRights(useGrants(), info).set
  const restore = useRestoreVersion({
    network: info,
    revision: query.data?.revision,
    onRestored: () => {
      onSaved()
      onClose()
    },
    onOutdated: () => void query.mutate(),
  })
  const versions = query.data?.data
  return (
    <SideDrawer title="历史" widthPx={640} onClose={onClose}>
      {versions === undefined ? (
        query.error === undefined ? (
          <Skeleton lines={6} />
        ) : (
          <ErrorState error={query.error} onRetry={() => void query.mutate()} />
        )
      ) : versions.length === 0 ? (
        <NothingYet
          title="还没有修改记录"
          hint="保存配置或调整成员后，这里列出最近 20 次修改，可恢复到其中任意一次。"
        />
      ) : (
        <VersionList
          versions={versions}
          current={versions[0]?.version ?? null}
          action={(version) =>
            version !== versions[0] &&
            isShown(right) && (
              <ActionButton
                theme="borderless"
                size="small"
                blocked={blockedBy(right)}
                aria-label={`恢复到版本 ${version.version}`}
                onClick={() => void restore(version)}
              >
                恢复
              </ActionButton>
            )
          }
        />
      )}
    </SideDrawer>
  )
}
