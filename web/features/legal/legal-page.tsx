import Button from '@douyinfe/semi-ui/lib/es/button'
import type { ReactNode } from 'react'
import { useBrand } from '#lib/session/brand.ts'
import { navigation } from '#lib/navigation.ts'
import { NothingYet } from '#ui/state/states.tsx'
import styles from './legal.module.css'
import { publicPaths } from '#lib/public-paths.ts'

interface LegalPageProps {
  readonly title: string
  readonly children: ReactNode
}

/** A legal text of ours, on hosts that show ours: a carrier's customers read no other company's terms. */
export function LegalPage({ title, children }: LegalPageProps) {
  const { terms } = useBrand()
  return (
    <article className={styles.article}>
      <h1>{title}</h1>
      {terms ? (
        children
      ) : (
        <NothingYet
          title={`本站未提供${title}`}
          hint="如需了解，请联系您的服务商。"
          action={<Button onClick={() => navigation.assign(publicPaths.home)}>返回首页</Button>}
        />
      )}
    </article>
  )
}
