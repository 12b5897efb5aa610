import IconColumns from '@douyinfe/semi-icons/lib/es/icons/IconColumnsStroked'
import Button from '@douyinfe/semi-ui/lib/es/button'
import Dropdown from '@douyinfe/semi-ui/lib/es/dropdown'
import './column-menu.css'
import type { ColumnChoice } from './use-column-choice.ts'

/** Chooses which columns are shown. */
export function ColumnMenu({ choice }: { readonly choice: Omit<ColumnChoice<never>, 'shown'> }) {
  const { choices, toggle, isChanged, reset } = choice
  if (choices.length < 2) return null
  return (
    <Dropdown
      trigger="click"
      position="bottomRight"
      closeOnEsc
      render={
        <div className="nl-column-menu" role="group" aria-label="显示的列">
          {choices.map(({ key, title, isShown }) => (
            <label key={key}>
              <input type="checkbox" checked={isShown} onChange={() => toggle(key)} />
              {title}
            </label>
          ))}
          <Button theme="borderless" size="small" disabled={!isChanged} onClick={reset}>
            恢复默认
          </Button>
        </div>
      }
    >
      <Button
        className="nl-column-button"
        theme="borderless"
        type="tertiary"
        icon={<IconColumns />}
        aria-label="选择显示的列"
      >
        列
      </Button>
    </Dropdown>
  )
}
