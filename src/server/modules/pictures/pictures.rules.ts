/** The hashes of the uploaded pictures that texts (HTML, the address of a cover) name, each once. */
export function uploadsIn(...texts: readonly (string | null)[]): string[] {
  const found = texts.flatMap((text) => [...(text ?? '').matchAll(/\/uploads\/([0-9a-f]{32})(?![0-9a-f])/g)])
  return [...new Set(found.map(([, hash]) => hash as string))]
}
