import styles from './placeholder-page.module.css'

/** Placeholder of a page that is not built yet. */
export function PlaceholderPage({ title }: { readonly title: string }) {
  return (
    <section className={styles.page}>
      <svg
        viewBox="0 0 64 64"
        width="64"
        height="64"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        aria-hidden="true"
      >
        <circle cx="32" cy="16" r="7" />
        <circle cx="14" cy="48" r="7" strokeDasharray="3 4" />
        <circle cx="50" cy="48" r="7" strokeDasharray="3 4" />
        <path d="m28 22-10 20m18-20 10 20M21 48h22" strokeDasharray="2 5" />
      </svg>
      <h1>{title}</h1>
      <p>该功能尚未开放</p>
    </section>
  )
}
