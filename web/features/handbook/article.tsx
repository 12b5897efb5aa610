import { type RefObject, useEffect, useRef } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { RESULT } from '#contract/kernel/result.ts'
import { paths } from '#lib/paths.ts'
import { useObjectTitle } from '#ui/layout/tab-title.ts'
import { TimeText } from '#ui/layout/text/time-text.tsx'
import { SafeHtml } from '#ui/markdown/safe-html.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { ErrorState, NothingYet } from '#ui/state/page-states.tsx'
import type { ArticleView, useArticle } from './api.ts'
import styles from './handbook.module.css'

/* Article of the handbook, with links to its neighbours. */

type Neighbor = ArticleView['before_doc']

interface ArticleProps {
  readonly article: ReturnType<typeof useArticle>
  /** First article; the page of a missing article links to it. */
  readonly first: NonNullable<Neighbor> | undefined
  readonly isEmpty: boolean
}

export function Article({ article: { data, error, mutate }, first, isEmpty }: ArticleProps) {
  useObjectTitle(data?.data.title)
  return (
    <article className={styles.article}>
      {data !== undefined ? (
        <ArticleText article={data.data} />
      ) : isEmpty ? (
        <NothingYet title="手册暂无内容" />
      ) : error === undefined ? (
        <Skeleton lines={12} />
      ) : error.code === RESULT.notFound ? (
        <NothingYet
          title="404"
          hint={error.msg}
          action={first && <Link to={paths.article(first)}>返回手册首页</Link>}
        />
      ) : (
        <ErrorState error={error} onRetry={() => void mutate()} />
      )}
    </article>
  )
}

function ArticleText({ article }: { readonly article: ArticleView }) {
  const { title, chapter, content, update_time, before_doc, after_doc } = article
  const text = useRef<HTMLDivElement>(null)
  useTitleInAddress(article)
  useHeadingOfAddress(text)
  return (
    <>
      <p className={styles.trail}>帮助手册 / {chapter}</p>
      <h1>{title}</h1>
      <p className={styles.trail}>
        更新于 <TimeText at={update_time} />
      </p>
      <div ref={text}>
        <SafeHtml html={content} />
      </div>
      <nav aria-label="上一篇与下一篇" className={styles.neighbors}>
        <NeighborLink label="上一篇" to={before_doc} />
        <NeighborLink label="下一篇" to={after_doc} />
      </nav>
      <p className={styles.help}>
        没有解决您的问题？<Link to={paths.createTicket}>提交客服工单</Link>
      </p>
    </>
  )
}

function NeighborLink({ label, to }: { readonly label: string; readonly to: Neighbor }) {
  if (to === null) return <span />
  return (
    <Link to={paths.article(to)}>
      <span>{label}</span>
      {to.title}
    </Link>
  )
}

/** Puts the title of the article into the address, also after a link by number. */
function useTitleInAddress({ id, title }: ArticleView): void {
  const navigate = useNavigate()
  const { pathname, search, hash } = useLocation()
  const isOurs = new URLSearchParams(search).get('id') === id
  const address = paths.article({ id, title })
  useEffect(() => {
    if (isOurs && pathname + search !== address)
      void navigate(address + hash, { replace: true, preventScrollReset: true })
  }, [isOurs, pathname, search, hash, address, navigate])
}

function useHeadingOfAddress(text: RefObject<HTMLDivElement | null>): void {
  const { hash, key } = useLocation()
  useEffect(() => {
    if (hash === '') return
    const isNamed = ({ id }: Element) => [id, encodeURIComponent(id)].includes(hash.slice(1))
    const headings = [...(text.current?.querySelectorAll('h2, h3, h4, h5, h6') ?? [])]
    headings.find(isNamed)?.scrollIntoView()
  }, [hash, key, text])
}
