import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { useFieldArray, useWatch } from 'react-hook-form'
import * as z from 'zod'
import { PAGE_SIZE } from '#contract/kernel/limits.ts'
import { prefixRow, type PrefixRow, prefixRows } from '#contract/network/fields.ts'
import { FieldNotes } from '#ui/form/field.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { Pager } from '#ui/table/pager/pager.tsx'
import styles from './prefix-fields.module.css'
import { PrefixText } from './prefix-text.tsx'
import { PREFIX, NETWORK } from '#contract/network/limits.ts'
import { alignPrefixes } from '#domain/network/routing/routing.ts'
import { NumberField } from '#ui/form/inputs/number-field.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import type { ContractForm } from '#ui/form/use-contract-form.ts'

export const prefixListSchema = z.object({ prefix: prefixRows })
type PrefixInput = z.input<typeof prefixListSchema>
/** Values that the schema makes of the input. */
export interface PrefixValues {
  prefix: PrefixRow[]
}
type PrefixForm = ContractForm<PrefixInput, PrefixValues>

interface PrefixFieldsProps {
  readonly form: PrefixForm
  readonly isAdvanced: boolean
}

const NEW_ROW = { ip: '', mask: null, name: '', permission: 'permit', ge: null, le: PREFIX.leMax } as const

/** Rows of a prefix list, a page of them at a time; a text of rows can be pasted and copied. */
export function PrefixFields({ form, isAdvanced }: PrefixFieldsProps) {
  const { control, formState } = form
  const { fields, append, remove, replace } = useFieldArray({ control, name: 'prefix' })
  const rows = useWatch({ control, name: 'prefix' })
  const problems = formState.errors.prefix
  const [page, setPage] = usePageOfProblem(formState.submitCount, Array.isArray(problems) ? problems : [])
  const first = (page - 1) * PAGE_SIZE
  const add = () => {
    append(NEW_ROW)
    setPage(Math.ceil((fields.length + 1) / PAGE_SIZE))
  }
  const removeRow = (i: number) => {
    remove(i)
    setPage(Math.max(1, Math.min(page, Math.ceil((fields.length - 1) / PAGE_SIZE))))
  }
  return (
    <>
      <span className="nl-help">中心点按这些网络号接收与通告路由；为空时不限制。可从文本粘贴，每行一条。</span>
      <div className={styles.rows}>
        {fields.slice(first, first + PAGE_SIZE).map(({ id }, i) => (
          <PrefixRowFields
            key={id}
            control={control}
            index={first + i}
            isAdvanced={isAdvanced}
            onRemove={() => removeRow(first + i)}
          />
        ))}
      </div>
      <Pager page={page} rowCount={fields.length} onPage={setPage} />
      <FieldNotes id="prefix" error={problems?.root?.message ?? problems?.message} />
      <span className={styles.tools}>
        <Button onClick={add} disabled={fields.length >= PREFIX.rowsMax}>
          添加一行
        </Button>
        <PrefixText
          rows={rows.flatMap((row) => prefixRow.safeParse(row).data ?? [])}
          onAppend={(pasted) => append([...pasted])}
          onReplace={(pasted) => replace([...pasted])}
        />
      </span>
      <Corrections rows={rows} />
    </>
  )
}

/** A submit that fails leads to the page of the first row that is wrong. */
function usePageOfProblem(submitCount: number, problems: readonly unknown[]) {
  const [chosen, setChosen] = useState({ page: 1, submits: 0 })
  const wrong = problems.findIndex(Boolean)
  const isNew = submitCount > chosen.submits && wrong >= 0
  const page = isNew ? Math.floor(wrong / PAGE_SIZE) + 1 : chosen.page
  return [page, (next: number) => setChosen({ page: next, submits: submitCount })] as const
}

/** Network numbers that saving corrects to the boundary of their mask (network 5). */
function Corrections({ rows }: { readonly rows: PrefixInput['prefix'] }) {
  const { corrected } = alignPrefixes(rows.flatMap((row) => prefixRow.safeParse(row).data ?? []))
  if (corrected.length === 0) return null
  return (
    <Notice tone="warn" role="status">
      保存时将更正网络号：{corrected.map(({ from, to }) => `${from} → ${to}`).join('、')}
    </Notice>
  )
}

interface PrefixRowFieldsProps {
  readonly control: PrefixForm['control']
  readonly index: number
  readonly isAdvanced: boolean
  readonly onRemove: () => void
}

const PERMISSIONS = [
  { value: 'permit', label: '允许' },
  { value: 'deny', label: '拒绝' },
]

function PrefixRowFields({ control, index, isAdvanced, onRemove }: PrefixRowFieldsProps) {
  return (
    <div className={styles.row} role="group" aria-label={`第 ${index + 1} 条`} data-advanced={isAdvanced}>
      <TextField control={control} name={`prefix.${index}.ip`} label="网络号" isCode maxLength={15} />
      <NumberField control={control} name={`prefix.${index}.mask`} label="掩码" maxLength={2} />
      <TextField control={control} name={`prefix.${index}.name`} label="名称" maxLength={NETWORK.noteMax} />
      {isAdvanced && (
        <>
          <SelectField control={control} name={`prefix.${index}.permission`} label="动作" options={PERMISSIONS} />
          <NumberField control={control} name={`prefix.${index}.ge`} label="ge" maxLength={2} />
          <NumberField control={control} name={`prefix.${index}.le`} label="le" maxLength={2} />
        </>
      )}
      <Button
        className={styles.remove ?? ''}
        theme="borderless"
        type="danger"
        aria-label={`删除第 ${index + 1} 条`}
        onClick={onRemove}
      >
        删除
      </Button>
    </div>
  )
}
