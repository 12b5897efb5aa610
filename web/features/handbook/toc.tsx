import { Link, useLocation } from 'react-router'
import type { ArticleView } from './api.ts'
import styles from './handbook.module.css'

/** Headings of the article, next to it where the window is wide enough. */
export function Toc({ entries }: { readonly entries: ArticleView['toc'] }) {
  const { pathname, search, hash } = useLocation()
  if (entries.length < 2) return <aside className={styles.toc} />
  return (
    <aside className={styles.toc}>
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
    </aside>
  )
}
