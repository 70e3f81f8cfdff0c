/**
 * What the sites use beyond the floor all the same, and why nothing is lost there. A line that is no longer needed fails the
 * test, as does a use that is not listed.
 */
type Allowed = Readonly<Record<string, string>>

const SHARING = 'the button is shown where it exists'
const PUSH = 'the switch says that this browser cannot, where one of them is missing'
const POPOVER = 'asked for first; by script or in the page without it'
const HINT = 'a hint: without it the same in another order'

/** In our own sources, by the types of the receivers. */
export const IN_SOURCES: Allowed = {
  'HTMLElement.showPopover': POPOVER,
  'HTMLElement.hidePopover': POPOVER,
  'attribute popover': POPOVER,
  'attribute popoverTarget': POPOVER,
  'attribute popoverTargetAction': POPOVER,
  'attribute fetchPriority': HINT,
  'Navigator.share': SHARING,
  'Navigator.canShare': SHARING,
  'Notification.permission': PUSH,
  'Notification.requestPermission': PUSH,
  Notification: PUSH,
  'PushManagerAttribute.pushManager': PUSH,
  'PushManager.getSubscription': PUSH,
  'PushManager.subscribe': PUSH,
  'PushSubscription.unsubscribe': PUSH,
  'PushSubscription.toJSON': PUSH,
}

const ASKS = 'the library asks whether it exists'
const OWN = 'a method of another object than the one of the language'

/** In the built scripts with their libraries, by names. */
export const IN_SCRIPTS: Allowed = {
  setImmediate: ASKS,
  navigation: ASKS,
  'Intl.Segmenter': ASKS,
  'navigator.connection': ASKS,
  'Error.captureStackTrace': ASKS,
  'Uint8Array.fromHex': ASKS,
  '.fromHex()': ASKS,
  '.toHex()': ASKS,
  '.error()': OWN,
  '.drop()': OWN,
  '.use()': OWN,
  '.move()': OWN,
  '.take()': OWN,
  Notification: PUSH,
  'Notification.permission': PUSH,
  'Notification.requestPermission': PUSH,
  'navigator.share': SHARING,
  'navigator.canShare': SHARING,
}

const LOOK = 'looks a little better with it'
const SCROLLING = 'the page behind scrolls along'
const EARLIER = 'painted or fetched earlier without it'

/** In the built style sheets. */
export const IN_STYLES: Allowed = {
  '-webkit-tap-highlight-color': LOOK,
  'text-decoration: dotted': LOOK,
  'font-family: ui-monospace': LOOK,
  'text-wrap': LOOK,
  '::selection': LOOK,
  '.post-text .ProseMirror-hideselection ::selection': LOOK,
  '::-webkit-inner-spin-button': LOOK,
  lh: LOOK,
  '@starting-style': LOOK,
  'scrollbar-width': LOOK,
  'scrollbar-gutter': LOOK,
  'cursor: pointer': 'a phone has none',
  'cursor: not-allowed': 'a phone has none',
  resize: 'a phone has no hand for it',
  'user-select: all': 'a button copies it too',
  'overscroll-behavior': SCROLLING,
  'html:has(.modal[open]:not([data-leaving]))': SCROLLING,
  'html:has(.modal[open]:not([data-leaving])) .toast-region':
    'a message may lie over the foot of a dialog for a while',
  '.menu:popover-open': POPOVER,
  'scroll-initial-target': 'the chosen one is scrolled to by hand',
  '@media (scripting)': 'what waits for scripts is there from the beginning, or fetched earlier',
  'content-visibility': EARLIER,
  'contain-intrinsic-size': EARLIER,
  'contain-intrinsic-height': EARLIER,
  'html[data-session~=wait]:has(.reserved-place) :is(#main,.shell-foot)': EARLIER,
  'html:not(:has(.top-nav))': 'more space at the foot of the page',
  'html:has(.focus-bar)': 'more space at the foot of the page',
  'html:has(.consent-bar,.text-notice)': 'the end of a page is covered until the question is answered',
  'html:has(.foot-bar)': 'what has the focus is scrolled to by hand',
  'html:has(.action-bar)': 'what has the focus is scrolled to by hand',
  'html:has(.action-bar) .toast-region': 'a message lies over the bar for a while',
  '.data-table td:has(>div:empty)': 'an empty line of a card',
  '@property': 'the build gives the properties their first values by a rule too',
}
