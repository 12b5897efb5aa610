import Button from '@douyinfe/semi-ui/lib/es/button'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { HANDBOOK } from '#contract/document/limits.ts'
import { markHits, toWords } from '#domain/document/search.ts'
import { paths } from '#lib/paths.ts'
import { Loading } from '#ui/state/loading.tsx'
import { SearchBox } from '#ui/table/filter-bar.tsx'
import { type Chapter, type useHandbookMenu, useHandbookSearch } from './api.ts'
import styles from './handbook.module.css'

/* Table of contents of the handbook, with its search. */

interface ContentsProps {
  readonly menu: ReturnType<typeof useHandbookMenu>
  readonly shown: string
  readonly search: string
  readonly onSearch: (search: string) => void
}

export function Contents({ menu, shown, search, onSearch }: ContentsProps) {
  return (
    <>
      <div role="search">
        <SearchBox label="搜索手册" value={search} onChange={onSearch} />
      </div>
      {search !== '' ? (
        <SearchResults search={search} shown={shown} onClear={() => onSearch('')} />
      ) : menu.data !== undefined ? (
        <Tree chapters={menu.data.data} shown={shown} />
      ) : (
        <Loading query={menu} lines={10} />
      )}
    </>
  )
}

function Tree({ chapters, shown }: { readonly chapters: readonly Chapter[]; readonly shown: string }) {
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }) // some browsers return a promise
  }, [shown])
  return (
    <nav ref={nav} aria-label="手册目录" className={styles.tree}>
      {chapters.map(({ id, title, children }) => (
        <details key={id} open>
          <summary>{title}</summary>
          <ul>
            {children.map((article) => (
              <li key={article.id}>
                <Link to={paths.article(article)} aria-current={article.id === shown ? 'page' : undefined}>
                  {article.title}
                </Link>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </nav>
  )
}

function SearchResults({ search, shown, onClear }: { search: string; shown: string; onClear: () => void }) {
  const { data, error, mutate, isLoading } = useHandbookSearch(search)
  if (error !== undefined || data === undefined) return <Loading query={{ error, mutate }} lines={6} />
  const words = toWords(search)
  return (
    <div className={styles.found} aria-busy={isLoading}>
      <p role="status">{countText(data.data.length, search)}</p>
      {data.data.length === 0 && <Button onClick={onClear}>清除搜索</Button>}
      <ul>
        {data.data.map((article) => (
          <li key={article.id}>
            <Link to={paths.article(article)} aria-current={article.id === shown ? 'page' : undefined}>
              <strong>
                <Hits text={article.title} words={words} />
              </strong>
              <span className={styles.extract}>
                <Hits text={article.extract} words={words} />
              </span>
              <span className={styles.chapter}>{article.chapter}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

function countText(count: number, search: string): string {
  if (count === 0) return `没有找到包含“${search}”的文章`
  return count < HANDBOOK.foundMax ? `找到${count}篇文章` : `仅列出最相关的${count}篇文章`
}

const Hits = ({ text, words }: { readonly text: string; readonly words: readonly string[] }) =>
  markHits(text, words).map((part, at) => (part.isHit ? <mark key={at}>{part.text}</mark> : part.text))
