/** Where others open a page with its address filled in: plain links, without any script of theirs. */
export function shareLinks(address: string): { zalo: string; facebook: string } {
  const encoded = encodeURIComponent(address)
  return {
    zalo: `https://zalo.me/share?url=${encoded}`,
    facebook: `https://www.facebook.com/sharer/sharer.php?u=${encoded}`,
  }
}
