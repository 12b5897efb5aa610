import Button from '@douyinfe/semi-ui/lib/es/button'
import { MODULE_WORD } from '#domain/logs/audit-words.ts'
import styles from './audit-filters.module.css'

/** Select of the module: there are more than a switch holds. */
export function ModuleFilter({ value, onChange }: { readonly value: string; onChange(module: string): void }) {
  return (
    <select
      className={styles.select}
      aria-label="按模块筛选"
      value={value in MODULE_WORD ? value : ''}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">全部模块</option>
      {Object.entries(MODULE_WORD).map(([module, word]) => (
        <option key={module} value={module}>
          {word}
        </option>
      ))}
    </select>
  )
}

/** Button that clears the filter on one person, chosen in a row. */
export function ActorFilter({ actor, onClear }: { readonly actor: string; onClear(): void }) {
  if (actor === '') return null
  return (
    <Button theme="light" aria-label={`取消只看 ${actor}`} onClick={onClear}>
      操作人：{actor} ×
    </Button>
  )
}
