// Loaded before every program of package.json. npm puts the portal's own Node first, if it is there.
import '../src/server/start/installation.js'
