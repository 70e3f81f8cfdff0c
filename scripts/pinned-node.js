const MAJOR_MIN = 24

/*
 * Loaded before every program of package.json. npm puts the portal's own Node first; where its package is missing, the
 * machine's Node stands in, which may know nothing of TypeScript, or not all that the portal is written in, and would end in
 * an error about a file, an import or a word.
 */
if (!process.features.typescript || Number.parseInt(process.versions.node, 10) < MAJOR_MIN) {
  process.stderr.write(
    `Node ${process.versions.node} of this machine cannot run the portal, and the Node that comes with it is missing from ` +
      'node_modules: the installation was cut short, or left optional packages out. Run `npm ci` again, to its end and ' +
      `without --omit=optional, or install Node ${MAJOR_MIN} or newer, then repeat this command.\n`,
  )
  process.exit(1)
}
