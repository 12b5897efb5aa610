import { useState } from 'react'
import type { AuthSourceType } from '#contract/auth-source/index.ts'
import { toMessage } from '#contract/kernel/errors.ts'
import { copyWithToast } from '#lib/clipboard.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import { FailureStrip, FailedPart } from '#ui/state/failure-strip.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { ActionButton } from '#ui/layout/buttons/action-button.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { CopyText } from '#ui/layout/text/copy-text.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { NoPermission } from '#ui/state/page-states.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { actionColumn, type RowAction, RowActions } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import {
  type SourceRow,
  useDeleteSource,
  useDisableSource,
  useEnableSource,
  useSources,
  useSourceSetup,
} from './api.ts'
import styles from './auth-source.module.css'
import { VENDOR } from './vendor-text.ts'

/* Page of auth sources: members sign in with the company's WeCom, Feishu or DingTalk (directory 2). */

const SourceDialog = lazyDialog(() => import('./source-dialog.tsx').then((m) => m.SourceDialog))

export function AuthSourceListPage() {
  const query = useSources()
  const setup = useSourceSetup()
  const [opened, setOpened] = useState<SourceRow | 'new' | null>(null)
  const toRowActions = useRowActions(setup.data?.data.code, setOpened)
  const add = (
    <ActionButton theme="solid" blocked={blockedBy(query)} onClick={() => setOpened('new')}>
      添加认证源
    </ActionButton>
  )
  if (query.error?.reason === 'AUTH_SOURCE_OFF')
    return (
      <>
        <PageHeader title="第三方认证源" />
        <Panel>
          <NoPermission reason={query.error.msg} />
        </Panel>
      </>
    )
  return (
    <>
      <FailureStrip>
        <PageHeader title="第三方认证源" actions={add} />
        <SourceIdPanel setup={setup} />
        <Panel title="认证源">
          <DataTable
            label="认证源"
            query={query}
            columns={[
              ...COLUMNS,
              actionColumn((row: SourceRow) => <RowActions subject={row.name} actions={toRowActions(row)} />),
            ]}
            rowKey={(row) => String(row.id)}
            rowName={(row) => row.name}
            empty={{
              title: '还没有认证源',
              hint: '添加企业微信、飞书或钉钉后，成员可用企业账号扫码登录客户端，按手机号匹配到软件成员。',
              action: add,
            }}
          />
        </Panel>
      </FailureStrip>
      {opened !== null && (
        <SourceDialog
          source={opened === 'new' ? null : opened}
          config={setup.data?.data.config}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}

/** The server's own sentence once the maximum is reached; else null. */
function blockedBy({ data }: ReturnType<typeof useSources>): string | null {
  if (data === undefined || data.count < data.max) return null
  return toMessage({ key: 'AUTH_SOURCE_LIMIT_REACHED', params: { limit: data.max } })
}

function useRowActions(sourceId: string | undefined, onEdit: (row: SourceRow) => void) {
  const [enable, disable, remove] = [useEnableSource(), useDisableSource(), useDeleteSource()]
  return (row: SourceRow): readonly RowAction[] => {
    const { id, name } = row
    const askEnable = () =>
      confirm({
        title: `启用认证源“${name}”？`,
        body: '启用后成员可通过它登录客户端。',
        verb: '启用',
        run: () => enable.trigger({ id }),
      })
    const askDisable = () =>
      confirm({
        title: `禁用认证源“${name}”？`,
        body: '成员不能再通过它登录，已通过它登录的成员立即退出。',
        verb: '禁用',
        danger: true,
        run: () => disable.trigger({ id }),
      })
    const confirmDelete = () =>
      confirm({
        title: `删除认证源“${name}”？`,
        body: '是否确定删除? 删除后不可恢复，已通过它登录的成员立即退出。',
        verb: '删除',
        danger: true,
        run: () => remove.trigger({ id }),
      })
    return [
      { label: '编辑', onSelect: () => onEdit(row) },
      {
        label: '复制',
        blocked: sourceId === undefined ? '正在读取认证源ID' : null,
        onSelect: () => void copyWithToast(sourceId ?? ''), // all sources of the account share one id
      },
      row.status === 0
        ? { label: '启用', onSelect: () => void askEnable() }
        : { label: '禁用', onSelect: () => void askDisable() },
      { label: '删除', danger: true, onSelect: () => void confirmDelete() },
    ]
  }
}

const COLUMNS: readonly Column<SourceRow>[] = [
  {
    key: 'name',
    title: '名称',
    isName: true,
    cell: ({ type, name }) => (
      <span className={styles.name}>
        <VendorMark type={type} />
        {name}
      </span>
    ),
  },
  { key: 'type', title: '类型', cell: ({ type }) => VENDOR[type].name },
  {
    key: 'status',
    title: '状态',
    cell: ({ status }) => (status === 0 ? <span className="nl-muted">已禁用</span> : '已启用'),
  },
  { key: 'domain', title: '授权域名', from: 'lg', cell: ({ auth_domain }) => <code>{auth_domain}</code> },
  { key: 'created', title: '添加时间', from: 'md', cell: ({ create_time }) => <TimeText at={create_time} /> },
]

function SourceIdPanel({ setup }: { readonly setup: ReturnType<typeof useSourceSetup> }) {
  const { data, error, mutate } = setup
  return (
    <Panel title="认证源ID">
      {data === undefined ? (
        error === undefined ? (
          <Skeleton />
        ) : (
          <FailedPart error={error} onRetry={mutate} />
        )
      ) : (
        <>
          <p className={styles.code}>
            <CopyText text={data.data.code} label="复制认证源ID" />
            <a href={data.data.page} target="_blank" rel="noreferrer">
              带有认证源ID的客户端下载页
            </a>
          </p>
          <p className="nl-muted">成员在客户端选择第三方登录时填写认证源ID；从上面的页面下载的客户端无需填写。</p>
        </>
      )}
    </Panel>
  )
}

/** Mark in place of the vendor's logo, which we may not show. */
const VendorMark = ({ type }: { readonly type: AuthSourceType }) => (
  <span className={styles.mark} aria-hidden="true">
    {VENDOR[type].mark}
  </span>
)
