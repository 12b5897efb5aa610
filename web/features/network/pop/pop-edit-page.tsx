import Button from '@douyinfe/semi-ui/lib/es/button'
import { useEffect, useId, useMemo, useState } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router'
import { DONE, RESULT } from '#contract/kernel/result.ts'
import { OV_PRIORITY, MEMBER_ROLE_NAME } from '#contract/network/limits.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { paths } from '#lib/paths.ts'
import { useObjectTitle } from '#ui/layout/tab-title.ts'
import { toast } from '#lib/toast/toast.ts'
import { useLeaveGuard } from '#ui/dialog/use-leave-guard.ts'
import { FormFailure } from '#ui/form/form.tsx'
import { Select } from '#ui/form/inputs/select-field.tsx'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { Panel } from '#ui/layout/panel.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Gone, NothingYet } from '#ui/state/page-states.tsx'
import { useNetworkInfo, useAreas, useEditAreas, useRenameSilently } from '../api.ts'
import { PopExpired } from '../detail/network-notices.tsx'
import { DataTable } from '#ui/table/data-table.tsx'
import { FilterBar } from '#ui/table/filter-bar.tsx'
import { IdentityCell } from '#ui/table/identity-cell.tsx'
import { useClientPage } from '#ui/table/pager/use-client-page.ts'
import type { Column } from '#ui/table/table-column.ts'
import { useLocalListState } from '#ui/table/use-list-state.ts'
import { MEMBER_SEARCH_LABEL } from '../network-text.ts'
import { keptNameSchema, nameMaxOf, NetworkNameField } from '../plan/network-name.tsx'
import { PlanFoot } from '../plan/plan-foot.tsx'
import styles from '../plan/plan.module.css'
import type { Member, NetworkInfo } from '../live-network.ts'
import { confirmLostRoutes } from '../settings/confirm-lost-routes.ts'
import { ImpactList } from '../settings/impact-list.tsx'
import { isPopExpired } from '../settings/setting-text.ts'
import {
  type AreaChoice,
  type AreaPlan,
  type Areas,
  changedAreas,
  hasBackup,
  mergeAreas,
  NO_AREA,
  NO_BACKUP,
  PRIORITIES,
  toAreaPlan,
  withMain,
} from './area-plan.ts'

/** Page that edits the name of a network and the POP areas of its members (network 2). */
export function PopEditPage() {
  const [query] = useSearchParams()
  const networkNumber = query.get('network_number') ?? ''
  if (networkNumber === '') return <Navigate to={paths.networks()} replace />
  return <LoadedPop key={networkNumber} networkNumber={networkNumber} />
}

function LoadedPop({ networkNumber }: { readonly networkNumber: string }) {
  const info = useNetworkInfo(networkNumber)
  const areas = useAreas(networkNumber)
  const navigate = useNavigate()
  const network = info.data?.data
  const error = info.error ?? areas.error
  useObjectTitle(network?.network_name)
  if (error?.code === RESULT.notFound) return <Gone message={error.msg} to={paths.networks()} />
  const trail = [
    { label: '组网列表', to: paths.networks() },
    ...(network === undefined ? [] : [{ label: network.network_name, to: paths.network(networkNumber) }]),
  ]
  const choices = areas.data?.data
  const retry = () => Promise.all([info.mutate(), areas.mutate()])
  const order = () => void navigate(paths.createNetworkTicket(networkNumber))
  return (
    <>
      <PageHeader title="POP配置" trail={trail} />
      {network !== undefined && choices !== undefined && choices.length > 0 ? (
        <>
          <PopExpired info={network} />
          <AreaForm info={network} areas={choices} />
        </>
      ) : (
        <Panel>
          {error !== undefined || choices === undefined || network === undefined ? (
            <Loading query={{ error, mutate: retry }} lines={8} />
          ) : (
            <NothingYet
              title="暂不可购买"
              hint="该组网还没有POP资源，请先提交接入POP工单。"
              action={<Button onClick={order}>接入POP</Button>}
            />
          )}
        </Panel>
      )}
    </>
  )
}

/** Saves the name, then all areas that were changed in one call. */
function AreaForm({ info, areas }: { info: NetworkInfo; areas: Areas }) {
  const navigate = useNavigate()
  const [start, setStart] = useState(info) // start of the edit: the server compares its revisions
  const base = useMemo(() => toAreaPlan(start.member), [start])
  const [plan, setPlan] = useState(base)
  const form = useContractForm(keptNameSchema(start), { network_name: start.network_name })
  const rename = useRenameSilently()
  const edit = useEditAreas()
  const { mutate } = useNetworkInfo(info.network_number)
  const [isSaved, setSaved] = useState(false)
  const { network_number } = start
  const changed = changedAreas(base, plan, start.member)
  const isUnsaved = !isSaved && (changed.length > 0 || form.formState.isDirty)
  useLeaveGuard(isUnsaved)
  useEffect(() => {
    if (isSaved) void navigate(paths.network(network_number))
  }, [isSaved, navigate, network_number])

  const save = async ({ network_name }: { readonly network_name: string }) => {
    const request = { call: 'member_ov', input: { network_number, members: changed } } as const
    if (changed.length > 0 && !(await confirmLostRoutes(request))) return
    const isRenamed = network_name !== start.network_name && network_name !== info.network_name
    if (isRenamed) await rename.trigger({ network_number, network_name })
    if (changed.length > 0) await edit.trigger({ network_number, members: changed })
    toast.done(DONE.saved)
    setSaved(true)
  }
  const merge = async () => {
    const latest = (await mutate())?.data
    if (latest === undefined || latest === start) return false
    setPlan(mergeAreas(base, plan, toAreaPlan(latest.member)))
    setStart(latest)
    form.merge({ network_name: latest.network_name })
    return true
  }
  return (
    <form noValidate onSubmit={form.submit(save)}>
      <Panel>
        <NetworkNameField form={form} max={nameMaxOf(start)} own={network_number} />
        <div className={styles.areas}>
          <AreaTable members={start.member} areas={areas} isOver={isPopExpired(info)} plan={plan} onChange={setPlan} />
        </div>
      </Panel>
      <PlanFoot
        submitText="保存"
        isBusy={form.busy}
        canSave={isUnsaved}
        onCancel={() => void navigate(paths.network(network_number))}
      >
        <span>{changed.length === 0 ? '区域未调整' : `调整 ${changed.length} 个成员的区域`}</span>
        <ImpactList
          request={changed.length === 0 ? null : { call: 'member_ov', input: { network_number, members: changed } }}
        />
        <FormFailure failure={form.failure} onMerge={merge} />
      </PlanFoot>
    </form>
  )
}

interface AreaTableProps {
  readonly members: readonly Member[]
  readonly areas: Areas
  /** The resource has expired: areas can be turned off, but not chosen. */
  readonly isOver: boolean
  readonly plan: AreaPlan
  readonly onChange: (plan: AreaPlan) => void
}

type Choices = readonly { readonly value: number; readonly label: string }[]

const UNASSIGNED: AreaChoice = { main: 0, backup: 0, priority: OV_PRIORITY.default }

/** Table of members with main area, backup and priority; paged and searched in the browser. */
function AreaTable({ members, areas, isOver, plan, onChange }: AreaTableProps) {
  const list = useLocalListState({})
  const word = list.search.toLowerCase()
  const shown = members.filter((m) => `${m.note} ${m.router_name}`.toLowerCase().includes(word))
  const paged = useClientPage(shown, list)
  const options = areas.map(({ id, name }) => ({ value: id, label: name }))
  const offered = (current: number | null) => (isOver ? options.filter(({ value }) => value === current) : options)
  const choiceOf = ({ router_name }: Member) => plan.get(router_name) ?? UNASSIGNED
  const choose = ({ router_name }: Member, choice: AreaChoice) => onChange(new Map(plan).set(router_name, choice))
  const cell = (member: Member, label: string, value: number, choices: Choices, to: (id: number) => AreaChoice) => (
    <AreaSelect
      label={`${memberLabel(member)} 的${label}`}
      value={value}
      choices={choices}
      onChange={(id) => choose(member, to(id))}
    />
  )
  const columns: readonly Column<Member>[] = [
    {
      key: 'name',
      title: '成员',
      isName: true,
      cell: (member) => (
        <IdentityCell name={memberLabel(member)} second={member.router_name} compactText={member.router_name} />
      ),
    },
    { key: 'role', title: '角色', from: 'md', cell: (member) => MEMBER_ROLE_NAME[member.member_type] },
    {
      key: 'main',
      title: '主区域',
      cell: (member) => {
        const choice = choiceOf(member)
        return cell(member, '主区域', choice.main, [NO_AREA, ...offered(member.ov_id.main)], (main) =>
          withMain(choice, main),
        )
      },
    },
    {
      key: 'backup',
      title: '备区域',
      cell: (member) => {
        const choice = choiceOf(member)
        if (!hasBackup(areas.length, choice)) return <span className="nl-muted">—</span>
        const others = offered(member.ov_id.backup).filter(({ value }) => value !== choice.main)
        return cell(member, '备区域', choice.backup, [NO_BACKUP, ...others], (backup) => ({ ...choice, backup }))
      },
    },
    {
      key: 'priority',
      title: '优先级',
      cell: (member) => {
        const choice = choiceOf(member)
        if (choice.main === 0) return <span className="nl-muted">—</span>
        return cell(member, '优先级', choice.priority, PRIORITIES, (priority) => ({ ...choice, priority }))
      },
    },
  ]
  return (
    <>
      <FilterBar list={list} searchLabel={MEMBER_SEARCH_LABEL} />
      <DataTable
        label="成员区域"
        {...paged}
        columns={columns}
        rowKey={(member) => member.router_name}
        rowName={memberLabel}
      />
    </>
  )
}

interface AreaSelectProps {
  readonly label: string
  readonly value: number
  readonly choices: Choices
  readonly onChange: (value: number) => void
}

function AreaSelect({ label, value, choices, onChange }: AreaSelectProps) {
  const id = useId()
  return (
    <>
      <span id={id} className="nl-sr">
        {label}
      </span>
      <Select
        aria-labelledby={id}
        value={value}
        optionList={[...choices]}
        motion={false} // with it, onChange fires only after the closing animation
        emptyContent="暂不可购买"
        onChange={(chosen) => onChange(Number(chosen))}
      />
    </>
  )
}
