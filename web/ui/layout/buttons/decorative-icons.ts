import Icon from '@douyinfe/semi-icons/lib/es/components/Icon'

/**
 * Semi's icons expose their English file names to screen readers ("eye_closed_solid"). They are aria-hidden here;
 * the button or text around them is the accessible name.
 */
export function hideIconsFromScreenReaders(): void {
  Icon.defaultProps = { role: 'presentation', 'aria-label': undefined, 'aria-hidden': true }
}
