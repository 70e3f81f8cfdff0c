/** What a browser's translator has put into the document for a text of ours. */
const standIns = new WeakMap<Node, ChildNode>()

let isTranslated = false

/**
 * Translators replace texts by elements of their own, so that React goes on writing into texts that nobody sees, and fails when it
 * removes them. A text that changes goes back into the document; what is removed takes its stand-in along. Called once, by the
 * entry of a site, before React renders.
 */
export function surviveTranslation(): void {
  const changes = new MutationObserver((records) => {
    for (const { target } of records) putBack(target as Text)
  })
  new MutationObserver((records) => {
    for (const { removedNodes, addedNodes, previousSibling, nextSibling } of records) {
      isTranslated ||= [...addedNodes].some(isOfTranslator)
      if (!isTranslated) continue
      const standIn = [...addedNodes, previousSibling, nextSibling].find(isOfTranslator)
      for (const text of standIn ? removedNodes : []) {
        if (!(text instanceof Text) || text.parentNode) continue
        standIns.set(text, standIn as ChildNode)
        changes.observe(text, { characterData: true })
      }
    }
  }).observe(document.body, { childList: true, subtree: true })

  const { removeChild, insertBefore } = Node.prototype
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    const place = placeOf(child, this)
    // Otherwise the translator has taken it out together with something else.
    if (place !== null) removeChild.call(this, place)
    return child
  }
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    return insertBefore.call(this, node, before && placeOf(before, this)) as T
  }
}

/** Our pages have no such element. */
const isOfTranslator = (node: Node | null): boolean => node?.nodeName === 'FONT'

function putBack(text: Text): void {
  standIns.get(text)?.replaceWith(text)
  standIns.delete(text)
}

/** The child of this element that a node is, or is in, or that stands for it. */
function placeOf(node: Node, parent: Node): Node | null {
  if (node.parentNode === parent || !isTranslated) return node
  for (let at: Node | null = standIns.get(node) ?? node; at; at = at.parentNode) {
    if (at.parentNode === parent) return at
  }
  return null
}
