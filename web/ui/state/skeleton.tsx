import './states.css'

/* Grey lines in place of loading text. */

export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div role="status" aria-label="加载中" style={{ display: 'grid', gap: 12 }}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className="nl-bone" style={{ width: line === lines - 1 ? '60%' : '100%' }} />
      ))}
    </div>
  )
}
