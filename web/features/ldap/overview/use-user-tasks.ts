import { useState } from 'react'
import { outsideText } from '#domain/ldap/run.ts'
import { countText } from '#lib/format/format-unit.ts'
import { type BatchRow, toBatchRow } from '#ui/state/batch-result.tsx'
import { confirm } from '#ui/dialog/confirm.tsx'
import { type Applied, type useDirectoryUsers, useImport, useImportAll, useRemove, useRemoveAll } from '../api.ts'

/** Users of a task, by UUID; null: all of them. */
type Uuids = readonly string[] | null

/** Imports and removes users of one listing, each asked first; `outcome` says how many, `results` who was refused or did not join. */
export function useUserTasks(query: ReturnType<typeof useDirectoryUsers>, onDone: () => void) {
  const [results, setResults] = useState<readonly BatchRow[]>([])
  const [outcome, setOutcome] = useState<string | null>(null)
  const [add, addAll, remove, removeAll] = [useImport(), useImportAll(), useRemove(), useRemoveAll()]
  const hash = query.data?.hash ?? ''

  /** A listing that moved meanwhile is read again, so that the next try has the newest. */
  const perform = async (work: () => Promise<{ readonly data: Applied }>, describe: (applied: Applied) => string) => {
    try {
      const { data } = await work()
      const names = new Map(query.data?.data.map(({ uuid, username }) => [uuid, username]))
      const noted = data.result.filter(({ msg }) => msg !== '')
      setResults(noted.map(({ uuid, ok, msg }) => toBatchRow(names.get(uuid) ?? uuid, ok, msg)))
      setOutcome(describe(data))
      onDone()
    } catch (error) {
      void query.mutate()
      throw error
    }
  }
  const askImport = (uuids: Uuids, what: string) =>
    confirm({
      title: `导入${what}？`,
      body: '导入后成为软件成员，用目录密码登录客户端；关联了组网时随即加入，不能加入的会列出原因。',
      verb: '导入',
      run: () =>
        perform(
          () => (uuids === null ? addAll.trigger({ hash }) : add.trigger({ hash, uuid: [...uuids] })),
          toImported(uuids === null),
        ),
    })
  const askRemove = (uuids: Uuids, what: string) =>
    confirm({
      title: `移除${what}？`,
      body: '是否确定删除? 成员会被删除，他们的登录和连接立即结束；只移除目录中已禁用或已删除的成员，24小时内可在同步记录中撤销。',
      verb: '移除',
      danger: true,
      run: () =>
        perform(
          () => (uuids === null ? removeAll.trigger({ hash }) : remove.trigger({ hash, uuid: [...uuids] })),
          toRemoved,
        ),
    })
  return { results, outcome, askImport, askRemove }
}

const toImported =
  (isAll: boolean) =>
  ({ added, conflicts, outside, reason }: Applied): string =>
    [
      `已导入 ${countText(added)} 个用户`,
      ...(isAll && conflicts > 0 ? [`${countText(conflicts)} 个不能导入，原因见检查结果`] : []),
      ...outsideText({ outside, reason }),
    ].join('，')

const toRemoved = ({ removable }: Applied): string => `已移除 ${countText(removable)} 个成员`
