interface StrokeIconProps {
  /** SVG path in a box of 20 × 20, or of `box` × `box`. */
  readonly path: string
  readonly box?: number
}

/** A line drawing in the colour of the text beside it; hidden from screen readers. */
export function StrokeIcon({ path, box = 20 }: StrokeIconProps) {
  return (
    <svg viewBox={`0 0 ${box} ${box}`} width={box} height={box} fill="none" aria-hidden="true">
      <path d={path} stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
