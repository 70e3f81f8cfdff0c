/*
 * Loaded before every program of package.json. npm puts the portal's own Node first; where its package is missing, the
 * machine's Node stands in, which may know nothing of TypeScript and would end in an error about a file or an import.
 */
if (!process.features.typescript) {
  process.stderr.write(
    `Node ${process.versions.node} of this machine cannot run the portal, and the Node that comes with it is missing from ` +
      'node_modules: the installation was cut short, or left optional packages out. Run `npm ci` again, to its end and ' +
      'without --omit=optional, then repeat this command.\n',
  )
  process.exit(1)
}
