/**
 * Moves of the whole page. `go` and `reload` drop everything held in memory: what one account saw can never be shown to
 * the next. `back` needs the router, which the app puts in.
 */
export const pageMoves = {
  go: (to: string): void => location.assign(to),
  reload: (): void => location.reload(),
  back: (): void => history.back(),
}
