import { publicPaths } from '#lib/public-paths.ts'
import './error-pages.css'
import { PrimaryLink } from '#ui/layout/buttons/primary-button.tsx'

/* Page for addresses that do not exist (404). */

export function NotFoundPage() {
  return (
    <main className="nl-error-page nl-error-page-full">
      <svg viewBox="0 0 240 72" width="240" height="72" fill="none" strokeWidth="2" aria-hidden="true">
        <path d="M36 36h54" stroke="var(--nl-ok)" />
        <path d="M90 36h24m12 0h24" stroke="var(--nl-bad)" strokeDasharray="5 6" />
        <path d="m114 30 12 12m0-12-12 12" stroke="var(--nl-bad)" strokeLinecap="round" />
        <circle cx="24" cy="36" r="11" fill="var(--nl-panel)" stroke="var(--nl-ok)" />
        <circle cx="90" cy="36" r="7" fill="var(--nl-panel)" stroke="var(--nl-ok)" />
        <circle cx="162" cy="36" r="11" fill="var(--nl-panel)" stroke="var(--nl-idle)" strokeDasharray="3 4" />
        <path d="M174 36h42" stroke="var(--nl-idle)" strokeDasharray="2 5" />
      </svg>
      <h1>404 Page Not Found</h1>
      <p>页面不存在，或地址已变更</p>
      <PrimaryLink to={publicPaths.home}>返回首页</PrimaryLink>
    </main>
  )
}
