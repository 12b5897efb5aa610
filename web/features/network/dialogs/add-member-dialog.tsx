import { useMemo, useState } from 'react'
import * as z from 'zod'
import { toMessage } from '../../../../worker/contract/errors.ts'
import { routerName } from '../../../../worker/contract/fields.ts'
import { NETWORK, ROUTER_TYPE } from '../../../../worker/contract/limits.ts'
import { memberType } from '../../../../worker/contract/network.ts'
import { SearchBox } from '../../../ui/filter-bar.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { FieldNotes } from '../../../ui/form/field.tsx'
import { RadioField } from '../../../ui/form/radio-field.tsx'
import { useContractForm } from '../../../ui/form/use-contract-form.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { useAddMember, useMemberCandidates } from '../api.ts'
import { toMemberOptions } from '../member-options.ts'
import { type MemberRole, MEMBER_ROLE_NAME, routerTypeName } from '../network-text.ts'
import { type MemberOption, isMatch, resolveRole } from '../picker.ts'
import { MemberListbox } from '../parts/member-listbox.tsx'
import { PickerSide } from '../parts/picker-side.tsx'
import type { NetworkInfo } from '../projection.ts'
import type { NetworkDialogProps } from './network-dialogs.tsx'

const schema = z.object({ router_name: routerName, member_type: memberType })

/** Adds one member. The button that opens it checks the quota; the server checks everything again. */
export function AddMemberDialog({ info: network, onSaved, onClose }: NetworkDialogProps) {
  const form = useContractForm(schema, { router_name: '', member_type: 'point' as MemberRole })
  const add = useAddMember()
  const [kind, setKind] = useState<'hardware' | 'software'>('hardware')
  const name = form.watch('router_name')
  const centers = {
    used: network.member.filter((member) => member.member_type === 'center').length,
    limit: network.network_config.network_center_count,
  }
  const { refused } = resolveRole(ROUTER_TYPE[kind], 'center', centers)

  const choose = (next: 'hardware' | 'software') => {
    setKind(next)
    form.setValue('router_name', '')
    form.setValue('member_type', resolveRole(ROUTER_TYPE[next], form.getValues('member_type'), centers).role)
  }
  const error = form.formState.errors.router_name?.message
  return (
    <FormDialog
      title="添加成员"
      submitText="添加"
      form={form}
      onClose={onClose}
      onSubmit={async (values) => {
        await add.trigger({ network_number: network.network_number, ...values })
        onSaved()
        onClose()
      }}
    >
      <Tabs
        label="成员类型"
        value={kind}
        options={(['hardware', 'software'] as const).map((value) => ({
          value,
          label: routerTypeName(ROUTER_TYPE[value]),
        }))}
        onChange={choose}
      >
        <div>
          <Candidates
            network={network}
            kind={kind}
            name={name}
            onPick={(picked) => form.setValue('router_name', picked, { shouldDirty: true, shouldValidate: true })}
          />
          <FieldNotes id="add-member" error={error} />
        </div>
      </Tabs>
      <RadioField
        control={form.control}
        name="member_type"
        label="成员角色"
        options={[
          { value: 'point', label: MEMBER_ROLE_NAME.point },
          { value: 'center', label: MEMBER_ROLE_NAME.center, disabled: refused !== null },
        ]}
        {...(refused !== null && { help: toMessage(refused) })}
      />
    </FormDialog>
  )
}

interface CandidatesProps {
  readonly network: NetworkInfo
  readonly kind: 'hardware' | 'software'
  readonly name: string
  readonly onPick: (name: string) => void
}

function Candidates({ network, kind, name, onPick }: CandidatesProps) {
  const offered = useMemberCandidates()
  const [search, setSearch] = useState('')
  const data = offered.data?.data
  const options = useMemo((): readonly MemberOption[] => {
    if (data === undefined) return []
    const inside = new Set(network.member.map(({ router_name }) => router_name))
    return [...toMemberOptions(data, []).values()].filter(
      ({ router_name, routerType }) => routerType === ROUTER_TYPE[kind] && !inside.has(router_name),
    )
  }, [data, network.member, kind])
  if (offered.error !== undefined && data === undefined)
    return <ErrorState error={offered.error} onRetry={() => void offered.mutate()} />
  if (data === undefined) return <Skeleton lines={5} />
  const shown = options.filter((option) => isMatch(option, search))
  return (
    <PickerSide>
      <SearchBox label="搜索备注、序列号或账号" value={search} onChange={setSearch} />
      <MemberListbox
        label="可选成员"
        options={shown}
        selected={new Set([name])}
        onSelect={(names) => onPick([...names][0] ?? '')}
        isSingle
        emptyText={options.length === 0 ? `没有可添加的${routerTypeName(ROUTER_TYPE[kind])}` : '暂无数据'}
        heightPx={Math.min(5, Math.max(2, options.length)) * 48 + 2}
      />
      <span className="nl-help">每个成员最多加入 {NETWORK.perRouter} 个组网；同一组网内各成员的 IP 网段不能相同</span>
    </PickerSide>
  )
}
