import { DONE } from '#contract/kernel/result.ts'
import { ApiError } from '#lib/call/transport.ts'
import { timeText } from '#lib/format/format-time.ts'
import { useGrants } from '#lib/session/session.ts'
import { ActionButton } from '#ui/layout/buttons/action-button.tsx'
import { SideDrawer } from '#ui/dialog/dialog.tsx'
import { NothingYet } from '#ui/state/page-states.tsx'
import { useVersions, isOutdatedPlan, type NetworkVersion, useRestore } from '../api.ts'
import { VersionList } from './version-list.tsx'
import { toast } from '#lib/toast/toast.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { Loading } from '#ui/state/loading.tsx'
import type { NetworkInfo } from '../live-network.ts'
import { blockedBy, isShown, networkRights } from '../rights.ts'
import type { NetworkDialogProps } from '../settings/dialog-context.ts'
import { ImpactList } from '../settings/impact-list.tsx'

/** Drawer of the history (历史) of a network: the last versions of its settings, each with a button to restore it. */
export function VersionsDrawer({ info, onSaved, onClose }: NetworkDialogProps) {
  const query = useVersions(info.network_number)
  const right = networkRights(useGrants(), info).set
  const restore = useRestoreVersion(info, query, () => {
    onSaved()
    onClose()
  })
  const versions = query.data?.data
  return (
    <SideDrawer title="历史" widthPx={640} onClose={onClose}>
      {versions === undefined ? (
        <Loading query={query} lines={6} />
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

/** Restores a version after a confirmation, and asks again if members would get other addresses. */
function useRestoreVersion(info: NetworkInfo, query: ReturnType<typeof useVersions>, onRestored: () => void) {
  const { network_number, network_name } = info
  const { trigger } = useRestore()
  const revision = query.data?.revision
  return async ({ version, at }: NetworkVersion): Promise<void> => {
    const input = { network_number, version, ...(revision !== undefined && { revision }) }
    const send = async (pack: 0 | 1) => {
      const { data } = await trigger({ ...input, pack }).catch((error: unknown) => {
        if (isOutdatedPlan(error)) void query.mutate()
        throw error
      })
      const { skipped } = data
      if (skipped.length === 0) toast.done(DONE.restored)
      else toast.error(`部分配置未恢复：${skipped.join('；')}`)
    }
    const question = {
      title: `恢复“${network_name}”到版本 ${version}？`,
      body: (
        <>
          配置将回到 {timeText(at)} 保存后的样子，作为一次新的修改下发；成员不变，已移出成员的配置不恢复。
          <ImpactList request={{ call: 'restore', input: { ...input, pack: 1 } }} />
        </>
      ),
      verb: '恢复',
      danger: true,
    }
    if (await confirmPacked(question, send)) onRestored()
  }
}

/** Asks again if the refusal gives the number of devices that would get new addresses. */
async function confirmPacked(
  question: Omit<Parameters<typeof confirm>[0], 'run'>,
  send: (pack: 0 | 1) => Promise<void>,
): Promise<boolean> {
  let refused: ApiError | null = null
  const run = async () => {
    try {
      await send(0)
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'HOSTS_OUTSIDE') throw error
      refused = error
    }
  }
  if (!(await confirm({ ...question, run }))) return false
  if (refused === null) return true
  return confirm({
    title: question.title,
    body: (refused as ApiError).msg,
    verb: '重新分配地址并恢复',
    danger: true,
    run: () => send(1),
  })
}
