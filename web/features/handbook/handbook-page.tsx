import Button from '@douyinfe/semi-ui/lib/es/button'
import { type ReactNode, useState } from 'react'
import { Navigate, useSearchParams, Link, useLocation } from 'react-router'
import { MOBILE_BREAKPOINT_PX } from '#contract/kernel/limits.ts'
import { paths } from '#lib/paths.ts'
import { Overlay } from '#ui/dialog/overlay.tsx'
import { useMedia } from '#ui/hooks/use-media.ts'
import { useArticle, useHandbookMenu, type ArticleView } from './api.ts'
import { Article } from './article.tsx'
import { Contents } from './contents.tsx'
import styles from './handbook.module.css'

/* Page of the help handbook (directory 2); its address keeps id and title of the article. */

const UNKNOWN_PATH = 404
const WIDTH_PX = 320

export function HandbookPage() {
  const [query] = useSearchParams()
  const menu = useHandbookMenu()
  const isWide = useMedia(`(min-width: ${MOBILE_BREAKPOINT_PX}px)`)
  const [search, setSearch] = useState('')
  const first = menu.data?.data[0]?.children[0]
  const id = query.get('id') ?? ''
  const article = useArticle(id === '' ? null : id)
  if (menu.error?.code === UNKNOWN_PATH) return <Navigate to={paths.notFound} replace />

  const contents = <Contents menu={menu} shown={id} search={search} onSearch={setSearch} />
  return (
    <div className={styles.page}>
      {/* Rendered beside the search, because its field may have text already. */}
      {id === '' && first !== undefined && <Navigate to={paths.article(first)} replace />}
      {isWide ? <div className={styles.side}>{contents}</div> : <ContentsDrawer shown={id}>{contents}</ContentsDrawer>}
      <Article key={id} article={article} first={first} isEmpty={menu.data?.data.length === 0} />
      <Toc entries={article.data?.data.toc ?? []} />
    </div>
  )
}

/** Tree and search below 992 px; the drawer closes once another article is shown. */
function ContentsDrawer({ shown, children }: { readonly shown: string; readonly children: ReactNode }) {
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  return (
    <div className={styles.bar}>
      <Button onClick={() => setOpenedAt(shown)}>目录与搜索</Button>
      {openedAt === shown && (
        <Overlay kind="menu" title="帮助手册" widthPx={WIDTH_PX} onClose={() => setOpenedAt(null)} closeOutside>
          <div className={styles.drawer}>{children}</div>
        </Overlay>
      )}
    </div>
  )
}

function Toc({ entries }: { readonly entries: ArticleView['toc'] }) {
  const { pathname, search, hash } = useLocation()
  if (entries.length < 2) return <div className={styles.toc} />
  return (
    <div className={styles.toc}>
      <nav aria-label="本文目录">
        <strong>本文目录</strong>
        <ul>
          {entries.map(({ id, title, level }) => (
            <li key={id} data-level={level}>
              <Link
                to={{ pathname, search, hash: encodeURIComponent(id) }}
                replace
                aria-current={hash === `#${encodeURIComponent(id)}` ? 'location' : undefined}
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}
