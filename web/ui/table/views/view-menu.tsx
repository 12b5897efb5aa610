import IconBookmark from '@douyinfe/semi-icons/lib/es/icons/IconBookmark'
import IconDelete from '@douyinfe/semi-icons/lib/es/icons/IconDeleteStroked'
import Button from '@douyinfe/semi-ui/lib/es/button'
import Dropdown from '@douyinfe/semi-ui/lib/es/dropdown'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { paths } from '#lib/paths.ts'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { isShown, type SavedView, toViewQuery, useDeleteView, useSavedViews, type ViewList } from './saved-views.ts'
import './view-menu.css'

/* Menu of a list with its saved views: opens one, deletes one, saves the present one. */

const SaveViewDialog = lazyDialog(() => import('./save-view-dialog.tsx').then((m) => m.SaveViewDialog))

interface ViewMenuProps {
  readonly list: ViewList
  /** Columns that differ from the default of the table. */
  readonly columns: ReadonlySet<string>
}

export function ViewMenu({ list, columns }: ViewMenuProps) {
  const [query] = useSearchParams()
  const views = useSavedViews().filter((view) => view.list === list)
  const [isSaving, setSaving] = useState(false)
  return (
    <>
      <Dropdown
        trigger="click"
        position="bottomRight"
        closeOnEsc
        render={
          <div className="nl-view-menu" role="group" aria-label="已保存的视图">
            {views.length === 0 && <p className="nl-help">保存筛选、排序和显示的列，以后从左侧菜单一步打开。</p>}
            {views.map((view) => (
              <ViewRow key={view.id} view={view} isCurrent={isShown(view, query.toString())} />
            ))}
            <Button theme="borderless" size="small" onClick={() => setSaving(true)}>
              保存当前视图
            </Button>
          </div>
        }
      >
        <Button theme="borderless" type="tertiary" icon={<IconBookmark />} aria-label="已保存的视图">
          视图
        </Button>
      </Dropdown>
      {isSaving && <SaveViewDialog list={list} query={toViewQuery(query, columns)} onClose={() => setSaving(false)} />}
    </>
  )
}

function ViewRow({ view, isCurrent }: { readonly view: SavedView; readonly isCurrent: boolean }) {
  const remove = useDeleteView()
  return (
    <div className="nl-view-row">
      <Link to={paths.savedView(view)} aria-current={isCurrent ? 'page' : undefined}>
        {view.name}
      </Link>
      <Button
        theme="borderless"
        type="tertiary"
        size="small"
        icon={<IconDelete />}
        aria-label={`删除视图“${view.name}”`}
        loading={remove.isMutating}
        onClick={() => void remove.trigger({ id: view.id }).catch(() => {})}
      />
    </div>
  )
}
