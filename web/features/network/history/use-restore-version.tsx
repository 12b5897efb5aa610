import { DONE } from '#contract/kernel/result.ts'
import { timeText } from '#lib/format/format-time.ts'
import { toast } from '#lib/toast/toast.ts'
import { ApiError } from '#lib/call/transport.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { type NetworkVersion, isOutdatedPlan, useRestore } from '../api.ts'
import { ImpactList } from '../settings/impact-list.tsx'
import type { NetworkInfo } from '../projection.ts'

interface RestoreInput {
  readonly network: Pick<NetworkInfo, 'network_number' | 'network_name'>
  /** Revision of the network when the versions were read. */
  readonly revision: number | undefined
  readonly onRestored: () => void
  /** Called when somebody else has saved: the list is outdated. */
  readonly onOutdated: () => void
}

/** Sets a version again, once it is confirmed; a second question where members would get other addresses. */
export function useRestoreVersion({ network, revision, onRestored, onOutdated }: RestoreInput) {
  const { network_number, network_name } = network
  const { trigger } = useRestore()
  return async ({ version, at }: NetworkVersion): Promise<void> => {
    const input = { network_number, version, ...(revision !== undefined && { revision }) }
    const send = async (pack: 0 | 1) => {
      const { data } = await trigger({ ...input, pack }).catch((error: unknown) => {
        if (isOutdatedPlan(error)) onOutdated()
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

/** Asks again where the refusal says how many devices get new addresses. */
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
