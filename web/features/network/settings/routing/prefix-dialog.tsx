import { type PrefixRow, isRestRow, prefixEntries, prefixRow } from '#contract/network/fields.ts'
import { isAdvanced, alignPrefixes, findContained } from '#domain/network/routing/routing.ts'
import { useUser } from '#lib/session/session.ts'
import { toast } from '#lib/toast/toast.ts'
import type { ContractForm } from '#ui/form/use-contract-form.ts'
import { hasFeatures } from '#pages/network/rights.ts'
import Button from '@douyinfe/semi-ui/lib/es/button'
import TextArea from '@douyinfe/semi-ui/lib/es/input/textarea'
import { useState } from 'react'
import { useFieldArray, useWatch } from 'react-hook-form'
import * as z from 'zod'
import { PAGE_SIZE } from '#contract/kernel/limits.ts'
import { NETWORK, PREFIX } from '#contract/network/limits.ts'
import { parsePrefixText, toPrefixText } from '#domain/network/routing/prefix-text.ts'
import { COPY_FAILED, copyText } from '#lib/clipboard.ts'
import { FieldNotes } from '#ui/form/field-notes.tsx'
import { NumberField } from '#ui/form/inputs/number-field.tsx'
import { SelectField } from '#ui/form/inputs/select-field.tsx'
import { TextField } from '#ui/form/inputs/text-field.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { Pager } from '#ui/table/pager/pager.tsx'
import { useEditPrefix, usePrefixRows } from '#pages/network/api.ts'
import type { NetworkDialogProps } from '../dialog-context.ts'
import { LoadingDialog } from '#ui/dialog/dialog.tsx'
import { useErrorPlace, useErrorPlaces } from '#ui/form/error-places.ts'
import { type Loaded, SettingDialog, useSettingForm } from '../setting-dialog.tsx'
import styles from './routing.module.css'

/* Dialog of the prefix list (网络号) of a network: rows of fields, or text to paste and copy. */

const TITLE = '设置网络号'

export function PrefixDialog(props: NetworkDialogProps) {
  const query = usePrefixRows(props.info.network_number)
  if (query.data === undefined) return <LoadingDialog title={TITLE} query={query} onClose={props.onClose} />
  return <LoadedPrefixes {...props} current={query.data} read={() => query.mutate()} />
}

type PrefixList = NonNullable<ReturnType<typeof usePrefixRows>['data']>
const toValues = ({ data }: PrefixList) => ({ prefix: [...data] })

function LoadedPrefixes({ info, current, read, ...handlers }: NetworkDialogProps & Loaded<PrefixList>) {
  const { network_number } = info
  const { start, form } = useSettingForm(`prefix ${network_number}`, prefixListSchema, { current, read }, toValues)
  const { data: rows, revision } = start
  const { auth } = useUser()
  const hasAdvanced = hasFeatures(auth, ['quaggaAdvanced']) || rows.some(isAdvanced) // stored values stay visible without the flag
  const edit = useEditPrefix()
  return (
    <SettingDialog
      title={TITLE}
      form={form}
      widthPx={hasAdvanced ? 960 : 720}
      toRequest={({ prefix }) => ({ call: 'edit_prefix', input: { network_number, prefix, revision } })}
      send={async ({ input }) => {
        const { data: corrected } = await edit.trigger(input)
        if (corrected.length > 0) toast.done(`已更正 ${corrected.map((row) => `${row.old} → ${row.new}`).join('、')}`)
      }}
      {...handlers}
    >
      <PrefixFields form={form} isAdvanced={hasAdvanced} />
    </SettingDialog>
  )
}

const prefixListSchema = z.object({ prefix: prefixEntries })
type PrefixInput = z.input<typeof prefixListSchema>
type PrefixForm = ContractForm<PrefixInput, z.output<typeof prefixListSchema>>

const NEW_ROW = { ip: '', mask: null, name: '', permission: 'permit', ge: null, le: PREFIX.leMax } as const
const REST = '其余允许'
const BASIC_FIELDS = ['ip', 'mask', 'name'] as const
const ADVANCED_FIELDS = [...BASIC_FIELDS, 'permission', 'ge', 'le'] as const
const REST_ROW = { ...NEW_ROW, ip: PREFIX.restIp, mask: PREFIX.restMask, name: REST } as const

function PrefixFields({ form, isAdvanced }: { form: PrefixForm; isAdvanced: boolean }) {
  const { control, formState } = form
  const { fields, append, insert, remove, replace } = useFieldArray({ control, name: 'prefix' })
  const rows = useWatch({ control, name: 'prefix' })
  const problems = formState.errors.prefix
  useErrorPlace(control, 'prefix')
  const columns = isAdvanced ? ADVANCED_FIELDS : BASIC_FIELDS
  const places = fields.flatMap((_, i) => columns.map((name) => `prefix.${i}.${name}`))
  useErrorPlaces(control, places) // an error in a row of another page leads to that page
  const [page, setPage] = usePageOfProblem(formState.submitCount, Array.isArray(problems) ? problems : [])
  const first = (page - 1) * PAGE_SIZE
  const last = rows.at(-1)
  const hasRest = last !== undefined && isRestRow(last)
  const end = hasRest ? fields.length - 1 : fields.length // the row 其余允许 stays the last one
  const add = () => {
    insert(end, NEW_ROW)
    setPage(Math.floor(end / PAGE_SIZE) + 1)
  }
  const addRest = () => {
    append(REST_ROW)
    setPage(Math.floor(fields.length / PAGE_SIZE) + 1)
  }
  const removeRow = (i: number) => {
    remove(i)
    setPage(Math.max(1, Math.min(page, Math.ceil((fields.length - 1) / PAGE_SIZE))))
  }
  return (
    <>
      <span className="nl-help">
        中心点按这些网络号接收与通告路由，未列出的网段会被阻断；为空时不限制。可从文本粘贴，每行一条。
      </span>
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
        {fields.length > 0 && !hasRest && (
          <Button onClick={addRest} disabled={fields.length >= PREFIX.rowsMax}>
            {REST}
          </Button>
        )}
        <PrefixText
          rows={rows.flatMap((row) => prefixRow.safeParse(row).data ?? [])}
          onAppend={(pasted) => insert(end, [...pasted])}
          onReplace={(pasted) => replace([...pasted])}
        />
      </span>
      <Corrections rows={rows} />
      <Contained rows={rows} />
    </>
  )
}

/** Page of rows that is shown; a failed submit leads to that of the first wrong row. */
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

const CONTAINED_SHOWN = 5

/** Hint about rows inside another one, which change nothing. */
function Contained({ rows }: { readonly rows: PrefixInput['prefix'] }) {
  const known = rows.flatMap((row, i) => {
    const { data } = prefixRow.safeParse(row)
    return data === undefined ? [] : [{ ...data, place: i + 1 }]
  })
  const contained = findContained(known)
  if (contained.length === 0) return null
  const text = contained.slice(0, CONTAINED_SHOWN).map(({ row, within }) => {
    const [inner, outer] = [known[row], known[within]]
    return (
      inner &&
      outer &&
      `第 ${inner.place} 条 ${inner.ip}/${inner.mask} 已包含在第 ${outer.place} 条 ${outer.ip}/${outer.mask} 中`
    )
  })
  const more = contained.length > CONTAINED_SHOWN ? `等 ${contained.length} 条` : ''
  return (
    <Notice role="status">
      {text.join('；')}
      {more}，不影响结果，可以删除
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
      <TextField control={control} name={`prefix.${index}.ip`} label="网络号" isCode />
      <NumberField control={control} name={`prefix.${index}.mask`} label="掩码" />
      <TextField control={control} name={`prefix.${index}.name`} label="名称" max={NETWORK.noteMax} />
      {isAdvanced && (
        <>
          <SelectField control={control} name={`prefix.${index}.permission`} label="动作" options={PERMISSIONS} />
          <NumberField control={control} name={`prefix.${index}.ge`} label="ge" />
          <NumberField control={control} name={`prefix.${index}.le`} label="le" />
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

interface PrefixTextProps {
  readonly rows: readonly PrefixRow[]
  readonly onAppend: (rows: readonly PrefixRow[]) => void
  readonly onReplace: (rows: readonly PrefixRow[]) => void
}

/** Copies the rows as text, one a line, and reads such a text; lines that are no prefix stay in the box. */
function PrefixText({ rows, onAppend, onReplace }: PrefixTextProps) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [state, setState] = useState('')
  const copy = async () => setState((await copyText(toPrefixText(rows))) ? `已复制 ${rows.length} 条` : COPY_FAILED)
  const take = (onTake: PrefixTextProps['onAppend']) => {
    const parsed = parsePrefixText(text)
    if (parsed.rows.length > 0) onTake(parsed.rows)
    setText(parsed.wrong.map((line) => line.text).join('\n'))
    const lines = parsed.wrong.map(({ line }) => line).join('、')
    setState(`已读入 ${parsed.rows.length} 条${lines === '' ? '' : `，第 ${lines} 行无法识别，请修改后重试`}`)
  }
  return (
    <>
      <Button onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
        粘贴文本
      </Button>
      <Button onClick={() => void copy()} disabled={rows.length === 0}>
        复制为文本
      </Button>
      {isOpen && (
        <div className={styles.paste}>
          <TextArea
            aria-label="网络号文本，每行一条"
            placeholder={'10.0.0.0/8 # 总部\n172.16.0.0/12 deny ge 16 le 24'}
            value={text}
            onChange={setText}
            rows={5}
          />
          <span className={styles.tools}>
            <Button disabled={text.trim() === ''} onClick={() => take(onAppend)}>
              追加到列表
            </Button>
            <Button disabled={text.trim() === ''} onClick={() => take(onReplace)}>
              替换列表
            </Button>
          </span>
        </div>
      )}
      <span role="status" className="nl-help">
        {state}
      </span>
    </>
  )
}
