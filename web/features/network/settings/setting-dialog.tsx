import type { ComponentProps } from 'react'
import { type DefaultValues, type FieldPath, type FieldValues, useWatch } from 'react-hook-form'
import type * as z from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { useContractForm, withoutNulls } from '#ui/form/use-contract-form.ts'
import { useFormStart } from '#ui/form/use-form-start.ts'
import { useNetworkInfo } from '../api.ts'
import type { MemberDialogProps } from './dialog-context.ts'
import type { Member, NetworkInfo } from '../live-network.ts'
import { confirmLostRoutes } from './confirm-lost-routes.ts'
import { ImpactList, type ImpactRequest } from './impact-list.tsx'

/* Dialog of a setting: its form, which can be read again and is kept as a draft, and the impact of its save. It asks before routes are lost. */

/** Data that a form starts from; `read` reads it again, and returns undefined if it failed. */
export interface Loaded<S> {
  readonly current: S
  readonly read: () => Promise<S | undefined>
}

/** `key` names the form and its object. The draft keeps all fields, because none is a secret. */
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
  { info: { network_number }, member }: Pick<MemberDialogProps, 'info' | 'member'>,
  toValues: (member: Member) => DefaultValues<V>,
) {
  const { mutate } = useNetworkInfo(network_number)
  const read = async () => (await mutate())?.data.member.find(({ router_name }) => router_name === member.router_name)
  return useSettingForm(`${key} ${member.router_name} ${network_number}`, schema, { current: member, read }, toValues)
}

export type SettingDialogProps<V extends FieldValues, T extends FieldValues, R extends ImpactRequest> = Omit<
  ComponentProps<typeof FormDialog<V, T>>,
  'command'
> & {
  /** Call that saves the values. */
  readonly toRequest: (values: T) => R
  readonly send: (request: R, values: T) => Promise<unknown>
}

export function SettingDialog<V extends FieldValues, T extends FieldValues, R extends ImpactRequest>(
  props: SettingDialogProps<V, T, R>,
) {
  const { toRequest, send, foot, ...rest } = props
  const impact = (
    <>
      {foot}
      <FormImpact form={rest.form} toRequest={toRequest} />
    </>
  )
  const command = async (values: T) => {
    const request = toRequest(values)
    return (await confirmLostRoutes(request)) && send(request, values)
  }
  return <FormDialog {...rest} command={command} foot={impact} />
}

/** Shows nothing while the values are invalid or unchanged. */
function FormImpact<V extends FieldValues, T extends FieldValues, R extends ImpactRequest>({
  form,
  toRequest,
}: Pick<SettingDialogProps<V, T, R>, 'form' | 'toRequest'>) {
  const values = useWatch({ control: form.control })
  const parsed = form.schema.safeParse(withoutNulls(values))
  return <ImpactList request={form.formState.isDirty && parsed.success ? toRequest(parsed.data) : null} />
}
