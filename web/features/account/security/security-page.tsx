import Button from '@douyinfe/semi-ui/lib/es/button'
import { paths } from '#lib/paths.ts'
import { useUser } from '#lib/session/session.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { FailureStrip } from '#ui/state/failure-strip.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import { IdentityCell } from '#ui/table/identity-cell.tsx'
import { actionColumn, RowActions } from '#ui/table/row-actions.tsx'
import type { Column } from '#ui/table/table-column.ts'
import { useLocalListState } from '#ui/table/use-list-state.ts'
import { type SignIn, useEndOtherSignIns, useEndSignIn, useSignIns } from '../api.ts'
import styles from './totp-panel.module.css'
import { RamTotpPanel, TotpPanel } from './totp-panel.tsx'

/* Page of sign-in security: second factor, and open sign-ins by device. */

export function SecurityPage() {
  const isMain = useUser().ram === 0
  const trail = isMain ? [{ label: '账号信息', to: paths.account() }] : []
  return (
    <FailureStrip>
      <PageHeader title="登录安全" trail={trail} />
      <TotpPanel />
      {isMain && <RamTotpPanel />}
      <Panel title="登录设备" actions={<EndOthersButton />}>
        <SignInList />
      </Panel>
    </FailureStrip>
  )
}

const deviceOf = ({ device, browser }: SignIn): string => `${device} · ${browser}`

const DEVICE: Column<SignIn> = {
  key: 'device',
  title: '设备',
  isName: true,
  cell: (row) => (
    <IdentityCell
      name={deviceOf(row)}
      wraps
      second={row.current === 1 && <span className={styles.current}>当前设备</span>}
      compactText={`${row.username} · ${row.ip}`}
    />
  ),
}
const USER: Column<SignIn> = {
  key: 'user',
  title: '用户',
  cell: ({ username, ram }) => (
    <>
      {username}
      {ram === 1 && <small className="nl-muted"> 子账号</small>}
    </>
  ),
}
function Address({ ip, place }: { readonly ip: string; readonly place: string }) {
  return (
    <>
      <span className="nl-mono">{ip}</span>
      {place !== '' && ` ${place}`}
    </>
  )
}
const FACTS: readonly Column<SignIn>[] = [
  { key: 'address', title: '登录地址', cell: ({ ip, place }) => <Address ip={ip} place={place} /> },
  { key: 'host', title: '访问域名', from: 'xl', cell: ({ host }) => host || '—' },
  { key: 'create', title: '首次登录', cell: (row) => <TimeText at={row.create_time} /> },
  {
    key: 'refresh',
    title: '最近刷新',
    phone: 'aside',
    cell: ({ refresh_time, refresh_ip, refresh_place }) => (
      <>
        <TimeText at={refresh_time} mode="relative" />
        <div className={styles.renewal}>
          <Address ip={refresh_ip} place={refresh_place} />
        </div>
      </>
    ),
  },
]

/** Open sign-ins of this person; the main account also sees those of its sub-accounts. Each can be ended. */
function SignInList() {
  const { ram } = useUser()
  const list = useLocalListState({})
  const query = useSignIns(list)
  const end = useEndSignIn()
  const action = actionColumn((row: SignIn) =>
    row.current === 1 ? (
      <span className="nl-muted">—</span>
    ) : (
      <RowActions
        subject={`${row.username} ${deviceOf(row)}`}
        actions={[{ label: '退出', onSelect: () => void confirmEnd(row, end.trigger) }]}
      />
    ),
  )
  return (
    <>
      <p className={styles.note}>
        最近刷新是登录凭证最近一次续期的时间和地址：控制台打开时约每半小时续期一次，并不是最后一次操作的时间。不认识的设备或地址请立即退出并修改密码。
      </p>
      <DataTable
        label="登录设备"
        query={query}
        columns={[DEVICE, ...(ram === 1 ? [] : [USER]), ...FACTS, action]}
        rowKey={(row) => row.session_id}
        rowName={deviceOf}
        list={list}
      />
    </>
  )
}

function EndOthersButton() {
  const endOthers = useEndOtherSignIns()
  const ask = () =>
    confirm({
      title: '退出其他登录设备？',
      body: '除当前设备外，您的所有登录都将立即退出，需要重新登录。',
      verb: '退出其他设备',
      danger: true,
      run: () => endOthers.trigger({}),
    })
  return <Button onClick={() => void ask()}>退出其他设备</Button>
}

const confirmEnd = (row: SignIn, end: ReturnType<typeof useEndSignIn>['trigger']) =>
  confirm({
    title: `退出“${deviceOf(row)}”？`,
    body: `${row.username} 在 ${row.ip} 的登录将立即退出，需要重新登录。`,
    verb: '退出',
    danger: true,
    run: () => end({ session_id: row.session_id }),
  })
