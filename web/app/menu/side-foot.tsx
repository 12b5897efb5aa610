import { StrokeIcon } from '#ui/layout/buttons/stroke-icon.tsx'

/** Written in by the build (vite.config.ts). */
const VERSION: string = import.meta.env['VITE_VERSION'] ?? ''

interface SideFootProps {
  readonly isFolded: boolean
  readonly onFold: (folded: boolean) => void
}

export function SideFoot({ isFolded, onFold }: SideFootProps) {
  const label = isFolded ? '展开菜单' : '收起菜单'
  return (
    <div className="nl-side-foot">
      <button
        type="button"
        className="nl-bar-button"
        aria-expanded={!isFolded}
        aria-label={label}
        title={label}
        onClick={() => onFold(!isFolded)}
      >
        <StrokeIcon path={isFolded ? 'M4 4v12M8 10h8m-3-3 3 3-3 3' : 'M4 4v12M16 10H8m3-3-3 3 3 3'} />
      </button>
      {!isFolded && VERSION !== '' && <small>版本 {VERSION}</small>}
    </div>
  )
}
