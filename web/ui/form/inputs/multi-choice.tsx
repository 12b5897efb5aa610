import IconSearch from '@douyinfe/semi-icons/lib/es/icons/IconSearch'
import Button from '@douyinfe/semi-ui/lib/es/button'
import Input from '@douyinfe/semi-ui/lib/es/input'
import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { plainText } from '#contract/kernel/input/typed-text.ts'
import { FieldFrame, type FieldProps, useField } from '../field.tsx'
import { Listbox } from './listbox.tsx'

/* Multiple choice from a long list, with search, count and selection of all found, and its form field. */

const HEIGHT_PX = 240

interface MultiChoiceOption {
  readonly value: string
  readonly label: string
  readonly second?: string
}

interface MultiChoiceProps {
  readonly label: string
  /** Set by a form field, whose error moves the focus here. */
  readonly id?: string
  readonly options: readonly MultiChoiceOption[]
  readonly value: readonly string[]
  readonly onChange: (value: string[]) => void
  readonly searchLabel: string
  /** Shown if there is nothing to choose from. */
  readonly emptyText: string
  /** Label of a value without an option: 已删除 (deleted). */
  readonly missingText: string
}

type MultiChoiceFieldProps<V extends FieldValues, T> = FieldProps<V, T> &
  Pick<MultiChoiceProps, 'options' | 'searchLabel' | 'emptyText' | 'missingText'>

/** Holds an array of texts. */
export function MultiChoiceField<V extends FieldValues, T>(props: MultiChoiceFieldProps<V, T>) {
  const { label, options, searchLabel, emptyText, missingText } = props
  const { id, frame, field } = useField(props)
  return (
    <FieldFrame {...frame} plainLabel>
      <MultiChoice
        {...{ id, label, options, searchLabel, emptyText, missingText }}
        value={field.value ?? []}
        onChange={field.onChange}
      />
    </FieldFrame>
  )
}

/** Values keep the order of the options. */
export function MultiChoice(props: MultiChoiceProps) {
  const { label, id, options, value, onChange, searchLabel, emptyText, missingText } = props
  const [search, setSearch] = useState('')
  const all = [...missing(options, value, missingText), ...options]
  const typed = plainText(search).toLowerCase()
  const found = all.filter((option) => `${option.label}\n${option.value}`.toLowerCase().includes(typed))
  const select = (chosen: ReadonlySet<string>) =>
    onChange(all.filter((option) => chosen.has(option.value)).map((option) => option.value))
  const chosen = new Set(value)
  const isAll = found.length > 0 && found.every((option) => chosen.has(option.value))
  const toggleFound = () => {
    const others = value.filter((one) => !isListed(found, one))
    select(new Set(isAll ? others : [...others, ...found.map((option) => option.value)]))
  }
  return (
    <div id={id} className="nl-multi" role="group" aria-label={label}>
      <div className="nl-multi-head">
        <Input
          value={search}
          onChange={setSearch}
          prefix={<IconSearch />}
          placeholder={searchLabel}
          aria-label={searchLabel}
          showClear
        />
        <span role="status" className="nl-muted">
          已选 {value.length} / {all.length}
        </span>
        <Button size="small" theme="borderless" disabled={found.length === 0} onClick={toggleFound}>
          {isAll ? '取消全选' : '全选'}
        </Button>
      </div>
      <Listbox
        label={label}
        options={found}
        optionKey={(option) => option.value}
        toRow={(option) => option}
        selected={chosen}
        // Values hidden by the search stay chosen.
        onSelect={(next) => select(new Set([...next, ...value.filter((one) => !isListed(found, one))]))}
        emptyText={all.length === 0 ? emptyText : '没有找到'}
        heightPx={HEIGHT_PX}
      />
    </div>
  )
}

const isListed = (options: readonly MultiChoiceOption[], value: string) =>
  options.some((option) => option.value === value)

const missing = (
  options: readonly MultiChoiceOption[],
  value: readonly string[],
  second: string,
): MultiChoiceOption[] =>
  value.filter((one) => !isListed(options, one)).map((one) => ({ value: one, label: one, second }))
