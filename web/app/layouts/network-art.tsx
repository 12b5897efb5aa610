import './network-art.css'

/* Illustration of the public pages: one network and its sites. It is not animated under `prefers-reduced-motion`. */

/** Use cases of the service (account 1), drawn as the sites of one network; icons in a viewBox of 32 × 32 around 0. */
const SITES = [
  { label: '分支互联', x: 116, y: 118, icon: 'M-9 9V-7H3V9M3-2H9V9M-12 9H12M-5-3h4M-5 2h4' },
  { label: '物联网工控互联', x: 484, y: 134, icon: 'M-11 9V-3l7 4v-4l7 4V-9h6V9zM-6 5h2M0 5h2M6 5h1' },
  { label: '跨地域文件传输', x: 104, y: 400, icon: 'M-8-10H3l6 6v14H-8zM3-10v6h6M0 6v-8m-4 4 4-4 4 4' },
  { label: '混合云', x: 494, y: 388, icon: 'M-6 8a5.5 5.5 0 0 1-1-10.9A7.5 7.5 0 0 1 7.5-4 6 6 0 0 1 7 8z' },
]
const HUB = { x: 300, y: 262 }
/** Members drawn around their site, by its index. */
const MEMBERS: readonly (readonly [site: number, x: number, y: number])[] = [
  [0, 40, 70],
  [0, 30, 158],
  [1, 562, 82],
  [1, 572, 180],
  [2, 24, 350],
  [2, 28, 424],
  [3, 572, 346],
  [3, 574, 446],
]

function bend({ x, y }: (typeof SITES)[number]): string {
  return `M${x} ${y}C${x + (HUB.x - x) * 0.5} ${y} ${HUB.x - (HUB.x - x) * 0.3} ${HUB.y} ${HUB.x} ${HUB.y}`
}

export function NetworkArt() {
  return (
    <aside className="nl-art">
      <div className="nl-art-text">
        <strong>分支、工厂与云，在一张网里</strong>
      </div>
      <svg viewBox="0 0 600 520" role="img" aria-label={SITES.map(({ label }) => label).join('、')}>
        <g className="nl-art-rings">
          <circle cx={HUB.x} cy={HUB.y} r="78" />
          <circle cx={HUB.x} cy={HUB.y} r="140" />
          <circle cx={HUB.x} cy={HUB.y} r="214" />
        </g>
        <g className="nl-art-members">
          {MEMBERS.map(([site, x, y]) => (
            <g key={`${x},${y}`}>
              <path d={`M${x} ${y}L${SITES[site]?.x ?? 0} ${SITES[site]?.y ?? 0}`} />
              <circle cx={x} cy={y} r="5" />
            </g>
          ))}
        </g>
        {SITES.map((site) => (
          <g key={site.label} className="nl-art-site">
            <path className="nl-art-link" d={bend(site)} />
            <path className="nl-art-flow" d={bend(site)} />
            <circle cx={site.x} cy={site.y} r="30" />
            <path className="nl-art-icon" d={site.icon} transform={`translate(${site.x} ${site.y}) scale(1.25)`} />
            <text x={site.x} y={site.y + 58} textAnchor="middle">
              {site.label}
            </text>
          </g>
        ))}
        <g className="nl-art-hub" transform={`translate(${HUB.x} ${HUB.y})`}>
          <rect x="-40" y="-40" width="80" height="80" rx="20" />
          <path d="M-16-10H16M-16 10H16M-10-16v32M10-16v32" />
          <circle r="5" cx="-10" cy="-10" />
          <circle r="5" cx="10" cy="-10" />
          <circle r="5" cx="-10" cy="10" />
          <circle r="5" cx="10" cy="10" />
        </g>
      </svg>
    </aside>
  )
}
