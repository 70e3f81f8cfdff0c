/** What brings up a phone's keyboard. */
const TYPED = "textarea, input:not([type='radio'], [type='checkbox'], [type='file'])"

/**
 * Marks the document while something is typed: a phone's keyboard leaves half of the screen, and bars give way to it (`:has(:focus)`
 * is above the floor of browsers).
 */
export function markTyping(): void {
  // A task later: the click that took the focus has then reached what it was meant for, before that moves.
  const update = () =>
    setTimeout(() =>
      document.documentElement.toggleAttribute(
        'data-typing',
        document.activeElement?.matches(TYPED) ?? false,
      ),
    )
  addEventListener('focusin', update)
  addEventListener('focusout', update)
}
