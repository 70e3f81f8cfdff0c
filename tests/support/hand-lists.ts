/**
 * A list written by hand beside what the product has. Empty when both are the same, otherwise a line for each difference
 * that names where to mend it.
 */
export function listProblems(
  { found, listed }: { found: Iterable<string>; listed: Iterable<string> },
  where: string,
): string[] {
  const [inProduct, byHand] = [new Set(found), new Set(listed)]
  return [
    ...[...inProduct].filter((name) => !byHand.has(name)).map((name) => `add ${name} to ${where}`),
    ...[...byHand].filter((name) => !inProduct.has(name)).map((name) => `remove ${name} from ${where}`),
  ]
}
