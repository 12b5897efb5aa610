import type { DefaultValues, FieldPath, FieldValues } from 'react-hook-form'
import type * as z from 'zod'
import { useContractForm } from '#ui/form/use-contract-form.ts'
import { useFormStart } from '#ui/form/use-form-start.ts'
import { useNetworkInfo } from '../api.ts'
import type { Member, NetworkInfo } from '../live-network.ts'

/* Forms of the dialogs of a network and its members: start values that can be read again, all kept as a draft. */

/** Data that a form starts from; `read` reads it again, and returns undefined if it failed. */
export interface Loaded<S> {
  readonly current: S
  readonly read: () => Promise<S | undefined>
}

/** `key` names the form and its object. */
export function useSettingForm<S, V extends FieldValues, T extends FieldValues>(
  key: string,
  schema: z.ZodType<T, V>,
  { current, read }: Loaded<S>,
  toValues: (start: S) => DefaultValues<V>,
) {
  const { start, values, reload } = useFormStart(current, read, toValues)
  const fields = Object.keys(values) as FieldPath<V>[]
  return { start, form: useContractForm<V, T>(schema, values, { reload, draft: { key, fields } }) }
}

export function useInfoForm<V extends FieldValues, T extends FieldValues>(
  key: string,
  schema: z.ZodType<T, V>,
  info: NetworkInfo,
  toValues: (info: NetworkInfo) => DefaultValues<V>,
) {
  const { mutate } = useNetworkInfo(info.network_number)
  const read = async () => (await mutate())?.data
  return useSettingForm(`${key} ${info.network_number}`, schema, { current: info, read }, toValues)
}

export function useMemberForm<V extends FieldValues, T extends FieldValues>(
  key: string,
  schema: z.ZodType<T, V>,
  { info: { network_number }, member }: { readonly info: NetworkInfo; readonly member: Member },
  toValues: (member: Member) => DefaultValues<V>,
) {
  const { mutate } = useNetworkInfo(network_number)
  const read = async () => (await mutate())?.data.member.find(({ router_name }) => router_name === member.router_name)
  return useSettingForm(`${key} ${member.router_name} ${network_number}`, schema, { current: member, read }, toValues)
}
