import Icon from '@douyinfe/semi-icons/lib/es/components/Icon'

/* Icons without a meaning of their own, hidden from screen readers. */

interface StrokeIconProps {
  /** SVG path in a viewBox of 20 × 20, or of `box` × `box`. */
  readonly path: string
  readonly box?: number
}

/** Stroke icon in `currentColor`. */
export function StrokeIcon({ path, box = 20 }: StrokeIconProps) {
  return (
    <svg viewBox={`0 0 ${box} ${box}`} width={box} height={box} fill="none" aria-hidden="true">
      <path d={path} stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}

/**
 * Semi's icons expose their English file names to screen readers ("eye_closed_solid"). They are aria-hidden here;
 * the button or text around them is the accessible name.
 */
export function hideIconsFromScreenReaders(): void {
  Icon.defaultProps = { role: 'presentation', 'aria-label': undefined, 'aria-hidden': true }
}
