import './root.css'

/** Full-page loading screen, shown until the session is restored (account 2). */
export function LoadingScreen() {
  return (
    <div className="nl-loading" role="status">
      <svg
        viewBox="0 0 32 32"
        width="32"
        height="32"
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        aria-hidden="true"
      >
        <circle cx="16" cy="16" r="13" opacity="0.2" />
        <path d="M16 3a13 13 0 0 1 13 13" strokeLinecap="round" />
      </svg>
      正在获取授权
    </div>
  )
}
