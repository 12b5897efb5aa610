import Icon from '@douyinfe/semi-icons/lib/es/components/Icon'

/**
 * Semi's icons expose their English file names to screen readers ("eye_closed_solid"). Here they are
 * drawings only; what they mean is said by the button or the text they stand in.
 */
export function hideIconsFromScreenReaders(): void {
  Icon.defaultProps = { role: 'presentation', 'aria-label': undefined, 'aria-hidden': true }
}
