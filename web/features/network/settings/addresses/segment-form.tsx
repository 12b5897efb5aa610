import { type ReactNode, useState } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { ApiError } from '#lib/call/transport.ts'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import type { ContractForm } from '#ui/form/use-contract-form.ts'
import { FieldProposal } from '#ui/form/field-proposal.tsx'
import { Notice } from '#ui/state/notice.tsx'
import type { ImpactRequest } from '../impact-list.tsx'
import { MaskField } from '../mask-field.tsx'
import { SettingDialog, type SettingDialogProps } from '../setting-dialog.tsx'
import styles from './address-fields.module.css'

/* Form fields of a segment (network number, mask, address pool), and the dialog whose save may give members new addresses. */

interface SegmentFieldsProps<V extends FieldValues, T> {
  readonly form: ContractForm<V, T>
  /** Path of `gateway` and `mask` in the form; empty for its top. */
  readonly at: string
  readonly title: string
  readonly note?: ReactNode
  readonly required?: boolean
  readonly isInterlink?: boolean
  /** Also shows the first and last address of the pool as fields. */
  readonly hasPool?: boolean
}

export function SegmentFields<V extends FieldValues, T>(props: SegmentFieldsProps<V, T>) {
  const { form, at, title, note, required = false, isInterlink = false, hasPool = false } = props
  const name = (field: string) => (at === '' ? field : `${at}.${field}`) as FieldPath<V>
  const { control } = form
  const text = { control, isCode: true } as const
  return (
    <fieldset className={styles.group}>
      <legend>{title}</legend>
      {note !== undefined && <p className={styles.note}>{note}</p>}
      <TextField {...text} name={name('gateway')} label="网段" required={required} placeholder="如 10.200.0.0" />
      <MaskField
        control={control}
        name={name('mask')}
        required={required}
        range={isInterlink ? 'interlink' : 'gateway'}
      />
      {hasPool && <TextField {...text} name={name('start')} label="起始IP" placeholder="不填为全部地址" />}
      {hasPool && <TextField {...text} name={name('end')} label="结束IP" placeholder="不填为全部地址" />}
    </fieldset>
  )
}

interface PackedDialogProps<V extends FieldValues, T extends FieldValues, R extends ImpactRequest> extends Omit<
  SettingDialogProps<V, T, R>,
  'toRequest' | 'submitText'
> {
  /** `pack` is 1 if members may get new addresses. */
  readonly toRequest: (values: T, pack: 0 | 1) => R
  readonly help?: ReactNode
}

/** The save may give members new addresses. The server first says how many, and saves once the person agrees. */
export function PackedDialog<V extends FieldValues, T extends FieldValues, R extends ImpactRequest>(
  props: PackedDialogProps<V, T, R>,
) {
  const { toRequest, send, help, children, ...rest } = props
  const [asked, setAsked] = useState<{ readonly key: string; readonly message: string } | null>(null)
  // The request of the impact has `pack` 1 and is never sent: members keep their addresses until the person agrees.
  const save = async (_impact: R, values: T): Promise<boolean> => {
    const key = JSON.stringify(values)
    try {
      await send(toRequest(values, asked?.key === key ? 1 : 0), values)
      return true
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'HOSTS_OUTSIDE') throw error
      setAsked({ key, message: error.msg })
      return false
    }
  }
  return (
    <SettingDialog
      {...rest}
      toRequest={(values) => toRequest(values, 1)}
      send={save}
      submitText={asked === null ? '保存' : '重新分配并保存'}
    >
      {children}
      <FieldProposal form={rest.form} />
      {asked === null ? (
        help
      ) : (
        <Notice tone="warn" role="alert">
          {asked.message}
        </Notice>
      )}
    </SettingDialog>
  )
}
